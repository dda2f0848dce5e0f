"""One module per file format: bytes on disk become tables of the lake contract."""
