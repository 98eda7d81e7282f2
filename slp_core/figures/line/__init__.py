"""One line: the strip over w, the half-plane, bands, Theorem 2."""
