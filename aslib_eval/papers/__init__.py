"""Papers made again from a lake, beside what they printed; one module a paper."""
