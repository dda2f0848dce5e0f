"""Charts for print, as files and in notebooks; the extra ``figures``."""
