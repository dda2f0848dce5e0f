"""Connections to a lake: protocols, views, declared metrics and queries."""
