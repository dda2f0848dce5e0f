"""How many instances and how many runs an experiment needs."""

from aslib_eval.planning.driver import Program, drive
from aslib_eval.planning.instances import Solved, curve, solve
from aslib_eval.planning.replay import replay
from aslib_eval.planning.scenarios import plan_scenario

__all__ = ["Program", "Solved", "curve", "drive", "plan_scenario", "replay", "solve"]
