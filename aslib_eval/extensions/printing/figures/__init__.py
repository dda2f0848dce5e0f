"""The renderer for print, and the files that it makes."""
