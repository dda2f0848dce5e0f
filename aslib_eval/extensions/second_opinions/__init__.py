"""What ``compare`` shows beside its tests: Bayes, a linear model, resampled means."""
