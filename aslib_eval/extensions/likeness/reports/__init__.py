"""Sections: scenarios that are alike on the index, algorithms on a page."""
