"""What can be imported: a folder a format, listed in ``registry``."""
