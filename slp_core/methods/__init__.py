"""The classifiers, each a scikit-learn estimator, one file a method."""
