"""Every macro of sql/macro with literal values, edges included."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import duckdb
import pytest

from aslib_eval.database.sqlfiles import find_sql


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    for file in find_sql():
        if file.is_macro:
            con.execute(file.statement)
    return con


EXPECTED: list[tuple[str, float | None]] = [
    # comparable(x): 12 significant digits.
    ("comparable(0)", 0),
    ("comparable(123456789.0123456e0)", 123456789.012),
    ("comparable(-0.1e0 - 0.2e0)", -0.3),
    ("comparable(1.23456789012345e-20)", 1.23456789012e-20),
    ("comparable('inf'::double)", float("inf")),
    ("comparable(null::double)", None),
    ("comparable(2e15 + 1000) - 2e15", 0),  # the 13th digit
    ("comparable(2e15 + 1e4) - 2e15", 1e4),  # the 12th
    ("comparable(-2e15 - 1000) + 2e15", 0),
    # family_name(family): what stands for none, and a value that is spelled so.
    ("(family_name('') = '(not known)')::int", 1),
    ("(family_name('easy') = 'easy')::int", 1),
    ("""(family_name('(not known)') = '"(not known)"')::int""", 1),
    ("""(family_name('"(not known)"') = '""(not known)""')::int""", 1),
    # tied_names(names): at most three are named.
    ("(tied_names(['a']) = 'a')::int", 1),
    ("(tied_names(['a', 'b', 'c']) = 'a = b = c')::int", 1),
    ("(tied_names(['a', 'b', 'c', 'd', 'e']) = 'a = b = c and 2 more')::int", 1),
    ("tied_names(null::varchar[])::int", None),
    # has_value(value, runstatus, timeout_value): a timeout has one if it counts.
    ("has_value(3, 'ok', 'failed')::int", 1),
    ("has_value(3, 'timeout', 'counts')::int", 1),
    ("has_value(3, 'timeout', 'failed')::int", 0),
    ("has_value(3, 'crash', 'counts')::int", 0),
    ("has_value('inf'::double, 'ok', 'counts')::int", 0),
    ("has_value(null::double, 'ok', 'counts')::int", 0),
    # metric_value(metric, better, term): terms are turned so that lower is better.
    ("metric_value('par10', 'min', 7)", 7),
    ("metric_value('solved', 'max', -0.25)", 0.25),
    ("metric_value('sgm', 'min', ln(30))", 20),
    ("metric_value('par10', 'min', null::double)", None),
    # incomplete_points(cost, vbs_cost): 1 = VBS.
    ("incomplete_points(9, 4)", 0.5),
    ("incomplete_points(4, 4)", 1),
    ("incomplete_points(0, -1)", None),
    ("incomplete_points(null, 4)", None),
    # fits_fixed(x): 0, or from 2^-15 to 2^34.
    ("fits_fixed(0)::int", 1),
    ("fits_fixed(-1 / 32768e0)::int", 1),
    ("fits_fixed(0.99 / 32768e0)::int", 0),
    ("fits_fixed(-17179869184e0)::int", 1),
    ("fits_fixed(17179869184.1e0)::int", 0),
    ("fits_fixed('-inf'::double)::int", 0),
    ("fits_fixed('nan'::double)::int", 0),
    ("fits_fixed(null::double)::int", None),
    # in_time(time, cutoff, at_cutoff): at the cutoff the protocol decides.
    ("in_time(9, 10, 'unsolved')::int", 1),
    ("in_time(10, 10, 'unsolved')::int", 0),
    ("in_time(10, 10, 'solved')::int", 1),
    ("in_time(11, 10, 'solved')::int", 0),
    ("in_time(null, 10, 'solved')::int", 0),
    ("in_time(1, null, 'solved')::int", 0),
    # sbs_order(criterion, cost, par1, solved): least is best.
    ("sbs_order('par', 50, 20, 0.9)", 50),
    ("sbs_order('par1', 50, 20, 0.9)", 20),
    ("sbs_order('par1', 50, null, 0.9)", 50),
    ("sbs_order('solved', 50, 20, 0.9e0)", -0.9),
    ("sbs_order('par', 1e0 + 4e-16, 0, 0) - 1", 0),
    # beyond(best, worst): once more as far, or its own size, or 1.
    ("beyond(3, 5)", 7),
    ("beyond(-9, -5)", -1),
    ("beyond(5, 5)", 10),
    ("beyond(-0.5, -0.5)", 0),
    ("beyond(0, 0)", 1),
    ("beyond(1, 1.7e308)", 1.7976931348623157e308),
    ("beyond(null, null)", None),
    # home_order(cv_scheme): least comes first.
    ("home_order('split')", 0),
    ("home_order('aslib')", 1),
    ("home_order('none')", 2),
    ("home_order('random-10x10-s1')", 3),
    # par(time, solved, cutoff, k): the time of an unsolved run is never used.
    ("par(7, true, 100, 10)", 7),
    ("par(7, false, 100, 10)", 1000),
    ("par(1000, false, 100, 1)", 100),
    ("par(0, true, 100, 10)", 0),
    ("par(null, false, 100, 2)", 200),
    ("par(7, null, null, 10)", None),
    ("par(7, false, 1e308, 10)", None),  # no number is so large
    # points_against(timed, solved, time, other_solved, other_time, delta).
    ("points_against(true, true, 1e0, true, 3e0, 0)", 0.75),
    ("points_against(true, true, 1e0, true, 3e0, 2)", 0.5),
    ("points_against(true, false, 1e0, true, 3e0, 2)", 0),
    ("points_against(false, true, 1e0, true, 3e0, 0)", 1),
    ("points_against(false, true, 3e0, true, 1e0, 0)", 0),
    ("points_against(false, true, 3e0, true, 1e0, 2)", 0.5),
    ("points_against(false, true, 3e0, true, 3e0, 0)", 0.5),
    ("points_against(false, true, 3e0, false, 1e0, 0)", 1),
    ("points_against(false, false, 1e0, false, 3e0, 0)", 0),
    # exact_points(points): multiples of 2^-53; mean_points(total, n) takes them back.
    ("exact_points(1)", 2**53),
    ("exact_points(0.5)", 2**52),
    ("exact_points('nan'::double)", None),
    ("exact_points(null)", None),
    ("mean_points(3 * exact_points(0.25)::hugeint, 3)", 0.25),
    ("mean_points(null::hugeint, 3)", None),
    # closed_gap(score, sbs, vbs): 1 = VBS, 0 = SBS.
    ("closed_gap(10, 50, 10)", 1),
    ("closed_gap(50, 50, 10)", 0),
    ("closed_gap(20, 50, 10)", 0.75),
    ("closed_gap(90, 50, 10)", -1),
    ("closed_gap(5, 50, 10)", 1.125),
    ("closed_gap(-0.7, -0.6, -0.8)", 0.5),  # a maximised quality
    ("closed_gap(10, 50, 50)", None),
    ("closed_gap(0.1::double + 0.2::double, 0.3::double, 0.05)", 0),  # noise is no gap
    ("closed_gap(0.2, 0.1::double + 0.2::double, 0.3::double)", None),
    ("closed_gap(1e308, 1.7e308, -1.7e308)", 7 / 34),  # no difference overflows
    ("closed_gap('inf'::double, 50, 10)", None),
    ("closed_gap(20, 'inf'::double, 10)", None),
    ("closed_gap(null, 50, 10)", None),
    ("closed_gap(20, 50, '-inf'::double)", None),
    ("closed_gap(20, 50, null)", None),
    # Equal to 12 digits, of numbers of any size and sign.
    ("closed_gap(2e15, 3e15 + 1, 3e15)", None),
    ("closed_gap(-0.5, -0.7, -0.7)", None),
    ("closed_gap(1e-15, 3e-15, 1e-15)", 1),
    ("closed_gap(2e-15, 3e-15, 1e-15)", 0.5),
    ("closed_gap(1, 1.00000000001, 1)", 1),
    ("closed_gap(1.0000000000000004e0, 1e0, 0.99999999999e0)", 0),
    ("closed_gap(10, null, 10)", None),
    # bounded_gap(score, sbs, vbs, vws): below SBS on the way to VWS = -1.
    ("bounded_gap(10, 50, 10, 130)", 1),
    ("bounded_gap(20, 50, 10, 130)", 0.75),
    ("bounded_gap(50, 50, 10, 130)", 0),
    ("bounded_gap(90, 50, 10, 130)", -0.5),
    ("bounded_gap(130, 50, 10, 130)", -1),
    ("bounded_gap(50, 50, 10, 50)", 0),  # SBS is VWS too
    ("bounded_gap(90, 50, 10, 50)", None),  # worse than VWS: no scale
    ("bounded_gap(20, 50, 10, null)", 0.75),  # above SBS VWS does not matter
    ("bounded_gap(90, 50, 10, null)", None),
    ("bounded_gap(50, 50, 50, 130)", None),
    ("bounded_gap(null, 50, 10, 130)", None),
    ("bounded_gap(20, 'inf'::double, 10, 130)", None),
    ("bounded_gap(20, 50, '-inf'::double, 130)", None),
    ("bounded_gap('inf'::double, 50, 10, 130)", None),
    ("bounded_gap(90, 50, 10, 'inf'::double)", None),
    ("bounded_gap(2e15, 3e15 + 1, 3e15, 4e15)", None),
    ("bounded_gap(-0.5, -0.7, -0.7, -0.3)", None),
    ("bounded_gap(2e-15, 3e-15, 1e-15, 4e-15)", 0.5),
    ("bounded_gap(1.0000000000000004e0, 1e0, 0.9e0, 1.00000000001e0)", 0),
    ("bounded_gap(-0.5, -0.7, -0.9, -0.7)", None),
    ("bounded_gap(3e15, 2e15, 1e15, 2e15 + 1)", None),
    ("bounded_gap(3e-15, 2e-15, 1e-15, 4e-15)", -0.5),
    ("bounded_gap(1.7e308, 1e308, -1e308, 1.75e308)", -70 / 75),
    ("bounded_gap(0.1::double + 0.2::double, 0.3::double, 0.05, 0.3::double)", 0),
    ("bounded_gap(0.3::double, 0.1::double + 0.2::double, 0.3::double, 1)", None),
    # bounded_gap_printed: the scale vws - vbs does not reach -1.
    ("bounded_gap_printed(20, 50, 10, 130)", 0.75),
    ("bounded_gap_printed(50, 50, 10, 130)", 0),
    ("bounded_gap_printed(130, 50, 10, 130)", -80 / 120),
    ("bounded_gap_printed(50, 50, 50, 130)", None),
    ("bounded_gap_printed(null, 50, 10, 130)", None),
    ("bounded_gap_printed(20, 'inf'::double, 10, 130)", None),
    ("bounded_gap_printed(20, 50, '-inf'::double, 130)", None),
    ("bounded_gap_printed('inf'::double, 50, 10, 130)", None),
    ("bounded_gap_printed(90, 50, 10, 'inf'::double)", None),
    ("bounded_gap_printed(90, 50, null, 130)", None),
    ("bounded_gap_printed(2e15, 3e15 + 1, 3e15, 4e15)", None),
    ("bounded_gap_printed(-0.5, -0.7, -0.7, -0.3)", None),
    ("bounded_gap_printed(2e-15, 3e-15, 1e-15, 4e-15)", 0.5),
    ("bounded_gap_printed(1.0000000000000004e0, 1e0, 0.9e0, 1.00000000001e0)", 0),
    ("bounded_gap_printed(90, 50, 10, null)", None),
    ("bounded_gap_printed(3e-15, 2e-15, 1e-15, 4e-15)", -1 / 3),
    ("bounded_gap_printed(0.1::double + 0.2::double, 0.3::double, 0.05, 1)", 0),
    ("bounded_gap_printed(0.2, 0.1::double + 0.2::double, 0.3::double, 1)", None),
    ("bounded_gap_printed(1.7e308, 1e308, -1e308, 1.7e308)", -7 / 27),
    # borda_points(solved, time, other_solved, other_time, delta).
    ("borda_points(true, 3, true, 9, 0)", 0.75),
    ("borda_points(true, 9, true, 3, 0)", 0.25),
    ("borda_points(true, 3, true, 9, 6)", 0.5),
    ("borda_points(true, 3, true, 9, 5.9)", 0.75),
    ("borda_points(true, 3, true, 3, 0)", 0.5),
    ("borda_points(true, 0, true, 0, 0)", 0.5),  # 0/0 of Definition 2
    ("borda_points(true, 0, true, 9, 0)", 1),
    ("borda_points(true, 9, true, 0, 0)", 0),
    ("borda_points(true, 99, false, 100, 0)", 1),
    ("borda_points(true, 99, false, 100, 5)", 1),  # delta is for two solved runs
    ("borda_points(false, 100, true, 99, 5)", 0),
    ("borda_points(false, 100, false, 100, 5)", 0),
    ("borda_points(true, 9, true, 3, 6)", 0.5),
    ("borda_points(true, 1e308, true, 1.5e308, 0)", 0.6),  # whose sum overflows
    # borda_points_modified(…, delta, cutoff): the paper's example, cutoff 1000.
    ("borda_points_modified(true, 3, true, 9, 6, 1000)", 0.503),
    ("borda_points_modified(true, 9, true, 3, 6, 1000)", 0.497),
    ("borda_points_modified(true, 300, true, 900, 600, 1000)", 0.8),
    ("borda_points_modified(true, 900, true, 300, 600, 1000)", 0.2),
    ("borda_points_modified(true, 3, true, 9, 0, 1000)", 0.75),
    ("borda_points_modified(true, 5, true, 5, 0, 1000)", 0.5),
    ("borda_points_modified(true, 99, false, 100, 50, 100)", 1),
    ("borda_points_modified(false, 100, false, 100, 50, 100)", 0),
    # own_value(cost, measure_type, maximize).
    ("own_value(-87.5, 'solution_quality', true)", 87.5),
    ("own_value(87.5, 'solution_quality', false)", 87.5),
    ("own_value(87.5, 'runtime', false)", None),
    # ratio(a, b).
    ("ratio(3, 2)", 1.5),
    ("ratio(0, 2)", 0),
    ("ratio(3, 0)", None),
    ("ratio(0, 0)", None),
    ("ratio(null, 2)", None),
]


@pytest.mark.parametrize(("call", "expected"), EXPECTED, ids=str)
def test_macro(con: duckdb.DuckDBPyConnection, call: str, expected: float | None) -> None:
    assert con.sql(f"select {call}").fetchall() == [(approximately(expected),)]


AGGREGATES: list[tuple[str, list[float | None], float | None]] = [
    ("fixed_sum_of(x) * 1099511627776e0", [1, -3, None, 1e-9, 1e12], 999999999998),
    ("fixed_sum_of(x)", [None], 0),
    ("geomean(x)", [2, 8], 4),
    ("geomean(x)", [2, 8, None], 4),
    ("geomean(x)", [2, 0], None),
    ("geomean(x)", [2, -8], None),
    ("geomean(x)", [], None),
    ("geomean(x)", [None], None),
    ("geomean(x)", [1e-300, 1e300], 1),  # no overflow
    ("mean_of(x)", [1, 3, None], 2),
    ("mean_of(x)", [], None),
    ("mean_of(x)", [1.7e308, 1.5e308, 1.6e308], 1.6e308),  # their sum is no number
    ("mean_of(x)", [1e-290, 3e-290], 2e-290),
    ("mean_of(x)", [1, float("inf")], float("inf")),
    ("mean_of(x) - 2e-5", [1e-5, 3e-5], 0),
    ("mean_of(x) - 0.1", [0.1], 0),  # the mean of one is that one
    ("mean_of(x)", [1e16, 1, -1e16], 1 / 3),  # no digit of 1 is lost
    ("mean_or_null(x)", [1, 3], 2),
    ("mean_or_null(x)", [1, None], None),
    ("mean_or_null(x)", [], None),
    ("mean_or_null(x)", [1, float("inf")], None),
    ("sum_or_null(x)", [1, 3], 4),
    ("sum_or_null(x)", [1, None], None),
    ("sum_or_null(x)", [], None),
    ("sum_of(x)", [1, 3, None], 4),
    ("sum_of(x)", [None], None),
    ("over_folds(x, 'mean')", [1, 2, 6], 3),
    ("over_folds(x, 'mean')", [1, 2, None], 1.5),  # folds without a gap are left out
    ("over_folds(x, 'median')", [1, 2, 6], 2),
    ("over_folds(x, 'median')", [1, 2, 6, 7], 4),
    ("over_folds(x, 'geometric')", [1, 2, 4], 2),
    ("over_folds(x, 'geometric')", [1, 2, -4], None),
    ("over_folds(x, 'pooled')", [1, 2], None),
    ("over_folds(x, 'mean')", [None], None),
    ("shifted_geomean(x, 10)", [0, 30], 10),
    ("shifted_geomean(x, 0)", [2, 8], 4),
    ("shifted_geomean(x, 10)", [7], 7),
    ("shifted_geomean(x, 10)", [0, None], None),
    ("shifted_geomean(x, 0)", [0, 8], None),
    ("shifted_geomean(x, 10)", [-10, 8], None),
    ("shifted_geomean(x, 10)", [], None),
]


@pytest.mark.parametrize(("call", "values", "expected"), AGGREGATES, ids=str)
def test_aggregate_macro(
    con: duckdb.DuckDBPyConnection, call: str, values: list[float | None], expected: float | None
) -> None:
    sql = f"select {call} from (select unnest(cast($x as double[])) as x)"
    assert con.execute(sql, {"x": values}).fetchall() == [(approximately(expected),)]


@pytest.mark.slow
@pytest.mark.parametrize("call", ["mean_of(x)", "sum_of(x)", "geomean(x)"])
def test_the_order_of_values_changes_no_digit(con: duckdb.DuckDBPyConnection, call: str) -> None:
    sql = f"select {call} from (select unnest($x) as x)"
    values = [0.1, 0.2, 0.3, 1e-9, 1e7, 0.7]
    assert len({con.execute(sql, {"x": list(order)}).fetchall()[0] for order in permutations(values)}) == 1


def test_many_numbers_of_the_largest_size_add_up_exactly(con: duckdb.DuckDBPyConnection) -> None:
    most = "-17179869184e0"
    sql = f"select mean_of({most} + i % 2) from range(2000000) as t(i)"
    assert con.sql(sql).fetchall() == [(-17179869183.5,)]


@pytest.mark.parametrize(("a", "b"), [(1, 2), (2, 50), (0, 90), (7, 7)])
def test_the_points_of_a_pair_sum_to_one(con: duckdb.DuckDBPyConnection, a: int, b: int) -> None:
    one = f"borda_points_modified(true, {a}, true, {b}, 3, 100)"
    other = f"borda_points_modified(true, {b}, true, {a}, 3, 100)"
    assert con.sql(f"select {one} + {other}").fetchall() == [(pytest.approx(1),)]


def approximately(value: float | None) -> Any:
    return value if value is None else pytest.approx(value, rel=1e-12)
