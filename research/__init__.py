"""How the bundled checkpoints and the stored table of runs were made: ``python -m research``."""
