"""The tables and figures of a paper, as its manifest lists them: built and checked."""
