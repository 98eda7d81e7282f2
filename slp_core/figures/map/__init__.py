"""The map: points, centroids, lines and prototypes on a picture of the space."""
