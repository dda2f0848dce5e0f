"""One module per file format: tables of the lake contract become text on disk."""
