"""Scenarios written as folders of the ASlib format."""
