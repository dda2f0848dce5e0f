"""Which cause costs a selector most, in the ledger's order and in none."""

from __future__ import annotations

import polars as pl

from aslib_eval.analysis.summaries import loss_notes, loss_shares, main_causes, mending

_KEY = ("P@1", "S", "runtime")
LOST = pl.DataFrame(
    [
        (*_KEY, "x", "VBS", 0.0, 0.0, 0.0),
        (*_KEY, "x", "wrong choice", 15.0, 311.5, 905.0),
        (*_KEY, "x", "feature cost", 0.0, 386.5, 980.0),
        (*_KEY, "x", "cut off", 980.0, 297.0, 890.0),
        (*_KEY, "x", "x", 0.0, 0.0, 0.0),
        # Two causes tie, to 12 digits: the first one counts.
        (*_KEY, "y", "wrong choice", 3.0, 3.0, 3.0),
        (*_KEY, "y", "schedule", 3.0 + 1e-15, 3.0 + 1e-15, 3.0 + 1e-15),
        # It is better than VBS.
        (*_KEY, "z", "feature cost", -2.0, -2.0, -2.0),
        # Nothing is lost.
        (*_KEY, "v", "VBS", 0.0, 0.0, 0.0),
    ],
    schema=["protocol", "scenario_id", "measure", "solver", "step", "loss", "shapley",
            "alone"],
    orient="row",
)  # fmt: skip


def test_the_costliest_cause_of_each_selector() -> None:
    columns = ["solver", "in_order", "over_orders", "pays_most", "pays_most_cost"]
    assert main_causes(LOST).select(columns).rows() == [
        ("x", "cut off", "feature cost", "feature cost", 980),
        ("y", "wrong choice", "wrong choice", "wrong choice", 3),
        ("z", None, None, None, -2),
    ]


def test_what_would_pay_most_is_said_and_where_the_order_decides() -> None:
    saves, order = mending(LOST)
    assert saves == (
        "Removing this cause of loss saves the most mean cost: feature cost for x"
        " (980); wrong choice for y (3)."
    )
    assert order == (
        "Averaged over all orders of the causes, another cause costs most for"
        " x (feature cost instead of cut off)."
    )
    assert mending(LOST.filter(pl.col("solver") == "z")) == []
    assert loss_notes(LOST)[-1] == (
        "S, x (P@1): in the rows' order, the costliest cause is cut off (980); averaged over all orders,"
        " it is feature cost (386.5)"
    )


def test_the_shares_of_a_gap_that_are_lost() -> None:
    def rows(*selectors: str) -> pl.DataFrame:
        found = [
            (*_KEY, name, step, share)
            for name in selectors
            for step, share in (
                ("VBS", None), ("wrong choice", 0.25), ("schedule", 0.5),
                ("feature cost", -0.125), ("cut off", 0.0), (name, None),
            )
        ]  # fmt: skip
        names = ["protocol", "scenario_id", "measure", "solver", "step", "gap_share"]
        return pl.DataFrame(found, schema=names, orient="row")

    assert loss_shares(rows("x", "y")) == [
        f"S, {name}: closes 37.5 % of the gap and loses 50.0 % (schedule), "
        "25.0 % (wrong choice), -12.5 % (feature cost)"
        for name in "xy"
    ]
    perfect = rows("x").filter(pl.col("step").is_in(["VBS", "x"]))
    assert loss_shares(perfect) == ["S, x: it is as good as VBS and loses nothing"]
    assert len(loss_shares(rows(*"abcdefghijkl"))) == 12
    assert loss_shares(rows(*"abcdefghijklm")) == []
    unknown = rows("x").with_columns(gap_share=pl.lit(None, pl.Float64))
    assert loss_shares(unknown) == []
