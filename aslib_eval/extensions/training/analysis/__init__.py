"""Real selectors, trained on the training part of every split (extra `selectors`).

The forests are scikit-learn's, asf arranges them: `rf`, `rfreg`, `zilla` and the
choice of `isac`. What asf 0.1.8 does otherwise than the papers is written here: its g-means never makes
more than two clusters, its SUNNY falls back on the first name
where no neighbour is solved, and its ASAP v2 tries m³ algorithms at a hundred points.
"""
