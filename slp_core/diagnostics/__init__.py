"""Whether probabilities can be trusted, the ensemble of two prototypes, two encoders compared."""
