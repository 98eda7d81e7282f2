"""Meta-training: how the checkpoints that stand beside the bundled encoder were made.

Many small two-class tasks teach the top layers of MiniLM to place the classes of a task it has
never seen (Algorithms 2 and 3 of the paper's appendix). `training.meta_train` runs the whole, and
``python -m slp_core meta-train`` is its command line.
"""
