"""Meta-training of MiniLM's top layers on many small tasks (Algorithms 2 and 3 of the paper)."""
