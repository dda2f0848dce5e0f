"""Who is better than whom, by how much, how sure, over which n: ``compare``."""

from aslib_eval.comparison.answers import Comparison, compare
from aslib_eval.comparison.questions import METRICS, TESTS, Question

__all__ = ["METRICS", "TESTS", "Comparison", "Question", "compare"]
