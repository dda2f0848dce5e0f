"""Figures: results → one chart model, drawn by the page's script and for print."""
