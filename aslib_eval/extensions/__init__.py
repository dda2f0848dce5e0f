"""What comes along with the core, each in a folder that can be taken away.

A folder says what it adds in ``entry_points.txt``, in the words of a package of others: see
docs/plugins.md. The core imports none of them, and none imports another.
"""
