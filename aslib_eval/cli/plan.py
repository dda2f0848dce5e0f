"""``aslib-eval plan``: how many instances and how many runs."""

from __future__ import annotations

import click

from aslib_eval.cli.plan_instances import instances, scenario
from aslib_eval.cli.plan_runs import replay, runs


@click.group()
def plan() -> None:
    """How many instances and how many runs an experiment needs."""


for command in (instances, scenario, runs, replay):
    plan.add_command(command)
