"""SQL in a page: ``serve``, and a page of the report that needs no server."""
