"""How well optimisers search: by evaluations or by time, one score for both.

``reading`` makes arrays of the trajectories of a lake, ``scoring`` scores of them.
"""

from aslib_eval.optimisers.scoring import SHOWN as SHOWN
from aslib_eval.optimisers.scoring import optimiser_scores as optimiser_scores
