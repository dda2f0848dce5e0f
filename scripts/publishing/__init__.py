"""What goes out into the world: the site of the documents, and a release."""
