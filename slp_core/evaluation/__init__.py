"""The paper's protocol on any task, published results, and methods compared."""
