"""Protocols: presets, hashes, files of one's own, and what is wrong in them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import aslib_eval as ae
from aslib_eval.database.protocol import PRESETS, Protocol, changed, load
from tests.conftest import ROOT

# A hash stands in every output: a change here changes what published numbers mean.
HASHES = {
    "default": "09b8597f48a4",
    "amadini2023": "0bce65a275df",
    "oasc2017": "00f20c58cbe7",
    "icon2015": "a74fe4f9ad1b",
    "tornede2020": "cf3c66acdb94",
    "aslibscenario": "cb05738029a2",
    "asf": "202786295e77",
    "autofolio": "7746835aec9c",
    "llama": "dc62e03f838e",
    "routing": "367085a8f86a",
}


def test_presets_keep_their_hashes() -> None:
    assert {name: p.hash for name, p in PRESETS.items()} == HASHES


def test_the_hash_is_of_the_choices_alone() -> None:
    assert Protocol(protocol="x", source="y").hash == Protocol().hash
    assert Protocol(penalty=2).hash != Protocol().hash
    assert Protocol(gap_floor=0).hash != Protocol().hash
    assert Protocol(penalty=10).hash == Protocol(penalty=10.0).hash  # TOML may say 10
    assert Protocol(gap_floor=-0.0).hash == Protocol(gap_floor=0).hash
    one, other = (Protocol(failures="value", failure_value=v) for v in (1, 2))
    assert one.hash != other.hash


def test_the_hash_covers_what_differs_from_default() -> None:
    texts = {
        Protocol(): b'{"definitions": 1}',
        Protocol(penalty=2, sbs_scope="all"): (b'{"definitions": 1, "penalty": 2.0, "sbs_scope": "all"}'),
    }
    for protocol, text in texts.items():
        assert protocol.hash == hashlib.sha256(text).hexdigest()[:12]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('penalty = 2\nunsolvable = "drop"\ngap_floor = -1\n')
    assert load(str(file)) == Protocol(protocol="mine", penalty=2, unsolvable="drop", gap_floor=-1)
    file.write_text('protocol = "named"\n')
    assert load(str(file)) == Protocol(protocol="named")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("penality = 2", "unknown key penality. Did you mean 'penalty'?"),
        ('gap = "open"', "gap = 'open' is none of closed, remaining, bounded"),
        ('repetitions = ["first"]', "is none of mean_par"),
        ("penalty = 0.5", "penalty = 0.5 must be a number of at least 1"),
        ("penalty = nan", "penalty = nan must be a number"),
        (f"penalty = 1{'0' * 400}", f"penalty = 1{'0' * 59}... must be a number of at least 1"),
        (f"gap_floor = -1{'0' * 400}", f"gap_floor = -1{'0' * 58}... must be left out"),
        (f"alpha = 1{'0' * 5000}", "is not TOML: Exceeds the limit (4300 digits)"),
        ('penalty = "10"', "penalty = '10' must be a number"),
        ("penalty = true", "penalty = True must be a number"),
        ("presolving = 1", "presolving = 1 must be true or false"),
        ("gap_floor = 0.5", "gap_floor = 0.5 must be left out, or at most 0"),
        ("borda_delta = -1", "borda_delta = -1 must be a number of at least 0"),
        ("measures = 1", "measures = 1 must be a text"),
        ('protocol = ""', "must be not empty"),
        ("source = 3", "source = 3 must be a text"),
        ("penalty = 1\npenalty = 2", "is not TOML: Cannot overwrite a value"),
        ('gap = "\xff"', "mine.toml:1: is not UTF-8 text"),
        ('failures = "value"', "failure_value = None must be a number"),
        ('failures = "value"\nfailure_value = inf', "failure_value = inf must be a number"),
        ('failures = "worst"\nfailure_value = 3', "must be left out unless failures is 'value'"),
        ("second_measure = 1", "second_measure = 1 must be a text"),
        ('second_decides = "tie"', "second_decides = 'tie' is none of nothing, ties"),
        ('second_direction = "min"', "is none of as_stated, minimise, maximise"),
        ('second_budget = "1"', "second_budget = '1' must be left out, or a number"),
        ("arena_beta = 0", "arena_beta = 0 must be a number above 0"),
        ("arena_min = 0", "arena_min = 0 must be a number above 0 and below arena_max"),
        ("arena_min = 200", "arena_min = 200 must be a number above 0 and below arena_max"),
        ('protocol = "llama"', "'llama' is the name of a preset"),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(ae.AslibError) as caught:
        load(str(file))
    assert str(caught.value).startswith(f"{file}:")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lama", "lama: there is no such protocol. Did you mean 'llama'?"),
        ("x", "x: there is no such protocol. Name one of default, amadini2023"),
        ("absent.toml", "absent.toml: cannot be read (No such file or directory)"),
        ("", "there is no such protocol"),
    ],
)
def test_no_such_protocol(name: str, message: str) -> None:
    with pytest.raises(ae.AslibError) as caught:
        load(name)
    assert message in str(caught.value)


def test_an_integer_that_python_does_not_write_is_refused() -> None:
    with pytest.raises(ae.AslibError, match="penalty = a number of thousands of digits"):
        Protocol(penalty=10**5000)


def test_choices_that_are_changed_stand_in_the_name() -> None:
    own = changed(Protocol(), fold_aggregate="mean", sbs_scope="all", penalty=2.5)
    assert own.protocol == "default+fold-mean+sbs-all+penalty-2.5"
    assert (own.fold_aggregate, own.sbs_scope, own.penalty) == ("mean", "all", 2.5)
    assert own.hash != Protocol().hash
    assert changed(Protocol(), sbs_scope="train", penalty=10.0, fold_aggregate=None) == Protocol()


def test_two_active_protocols_may_not_share_a_name(tmp_path: Path) -> None:
    ae.import_scenarios([(ROOT / "scenarios" / "TOY-2026")], into=tmp_path / "lake")
    with pytest.raises(ae.AslibError, match="two protocols share a name"):
        ae.connect(tmp_path / "lake", protocols=["default", Protocol(penalty=2)])


def test_a_budget_is_in_the_hash_as_a_number() -> None:
    assert Protocol(second_budget=1).hash == Protocol(second_budget=1.0).hash
    assert Protocol(second_budget=0).hash != Protocol().hash
    assert Protocol(arena_max=200).hash == Protocol().hash


START = "PAR10, over all instances at once, SBS of all instances, default feature steps"


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (
            PRESETS["routing"],
            (
                f"{START} charged, instances that no algorithm solves counted, "
                "VBS and SBS have the least price among equals"
            ),
        ),
        (Protocol(), f"{START} charged, instances that no algorithm solves counted"),
        (
            PRESETS["oasc2017"],
            (
                "PAR10, mean over the folds, SBS of each training set, "
                "the feature steps of a schedule charged, "
                "instances that no algorithm solves left out, "
                "a run that ends at the cutoff solved, median time of the repetitions"
            ),
        ),
        (
            Protocol(sbs_criterion="par1", presolving=False, borda_delta=0.05, borda_delta_kind="relative"),
            (
                f"{START} charged, instances that no algorithm solves counted, SBS by mean PAR1, "
                "no step presolves, times that differ by at most 5% of the smaller are equal"
            ),
        ),
    ],
)
def test_a_protocol_in_words(protocol: Protocol, words: str) -> None:
    assert protocol.words == words
