"""Who is better than whom, by how much, how sure, over which n: ``compare``."""

from aslib_eval.comparison.answers import Comparison, compare
from aslib_eval.comparison.questions import TESTS, Question

__all__ = ["TESTS", "Comparison", "Question", "compare"]
