"""The Bayesian tests, and the linear model of a block design: numpy alone."""
