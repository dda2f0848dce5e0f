"""The family of each instance of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from aslib_eval.database.open_lake import OpenLake
from aslib_eval.errors import AslibError, ScenarioError
from aslib_eval.formats.attributes import FAMILY
from aslib_eval.formats.families import Families, families
from aslib_eval.statistics.families import FEWEST, worth


def known_families(
    instances: Sequence[str], given: Mapping[str, str | None], *, by_name: bool = True
) -> tuple[str, ...]:
    """The family of each instance; none where all are of one, or each of its own.

    given: of instances; where no family is known, what the names say, unless ``by_name`` is false. An
    instance without a family is one. Families that names tell count if they are worth five of equal size:
    fewer are kinds of instances, and no sample of families.
    """
    found = [str(given.get(name) or "") for name in instances]
    guessed = by_name and not any(found)
    if guessed:
        found = families(instances)
    found = [of or f"(none: {name})" for of, name in zip(found, instances, strict=True)]
    codes = codes_of(found)
    if codes is None or not 1 < len(set(found)) < len(found) or (guessed and worth(codes) < FEWEST):
        return ()
    return tuple(found)


def codes_of(known: Sequence[str]) -> NDArray[np.int64] | None:
    """Numbers from 0 for families; None for none."""
    return np.unique(known, return_inverse=True)[1] if known else None


def families_of(
    lake: OpenLake,
    scenario: str,
    instances: Sequence[str],
    *,
    given: Families | None = None,
    attribute: str | None = None,
) -> list[str]:
    """The family of each instance.

    As a file says, else an attribute (``family`` if none is named; instances without one are a family),
    else as the names tell.

    Raises:
        AslibError: when the file lacks an instance, or none has the attribute.
    """
    if given:
        lacking = [given.finding(i, f"{i} is missing") for i in instances
                   if i not in given.of]  # fmt: skip
        if lacking:
            raise ScenarioError(given.path, lacking)
        return [given.of[i] for i in instances]
    return by_attribute(lake, scenario, instances, attribute) or families(instances)


def by_attribute(
    lake: OpenLake, scenario: str, instances: Sequence[str], attribute: str | None = None
) -> list[str]:
    """Value of the attribute, empty where it is not known; nothing if none has one."""
    sql = "select instance_id, value from raw_attribute"
    sql += " where scenario_id = $scenario and attribute = $attribute"
    asked = {"scenario": scenario, "attribute": attribute or FAMILY}
    found = dict(lake.rows(sql, asked))
    if not found and attribute is not None:
        hint = "Import it with --attributes, or leave out the scenario."
        raise AslibError(f"no instance has the attribute {attribute}", scenario, hint)
    return [found.get(instance, "") for instance in instances] if found else []
