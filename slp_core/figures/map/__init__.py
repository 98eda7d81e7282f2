"""The map: points, centroids, lines and prototypes on a projection."""
