"""What a data set holds, as machines read it: Data Package v2, and Croissant 1.1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from aslib_eval._version import __version__
from aslib_eval.extensions.exporting.exports import Contract
from aslib_eval.extensions.exporting.formats.dataset import data_file
from aslib_eval.provenance import Provenance

# Relations whose rows others name: columns there, that lead to columns of the same name. The first whose
# columns a relation has counts, of each target.
_TARGETS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "protocol": (("protocol",),),
    "metric": (("metric",),),
    "raw_scenario": (("scenario_id", "measure"), ("scenario_id",)),
    "raw_algorithm": (("scenario_id", "algorithm"),),
    "raw_selector": (("scenario_id", "selector", "cv_scheme"),),
}
ABOUT = "Runs, features, splits and selectors of scenarios for algorithm selection"


@dataclass(frozen=True)
class DataFile:
    """A relation in a data set: its contract, its file, and what is in that.

    gaps: the columns that have a null.
    """

    name: str
    contract: Contract
    schema: pa.Schema
    rows: int
    gaps: frozenset[str]
    size: int
    sha256: str

    @property
    def path(self) -> str:
        """Of its file in the data set."""
        return data_file(self.name)


def foreign_keys(
    name: str, columns: Sequence[str], others: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What columns of a relation lead to: a relation of the others, and its columns."""
    for target, options in _TARGETS.items():
        if target == name or target not in others:
            continue
        for option in options:
            if set(option) <= set(columns):
                yield target, option
                break


def slug(name: str) -> str:
    """A name of lower-case letters, digits and hyphens, as both formats allow it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "lake"


def data_package(name: str, files: Sequence[DataFile]) -> dict[str, Any]:
    """The descriptor of a Frictionless Data Package, version 2; without licences."""
    names = [each.name for each in files]
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": slug(name),
        "title": name,
        "description": f"{ABOUT}.",
        "version": f"aslib-eval {__version__}",
        "resources": [_resource(each, names) for each in files],
    }


def _resource(file: DataFile, names: Sequence[str]) -> dict[str, Any]:
    columns = file.schema.names
    schema = {
        "fields": [
            {
                "name": field.name,
                "type": _frictionless(field.type, nullable=field.name in file.gaps),
                "description": file.contract.columns.get(field.name, ""),
            }
            for field in file.schema
        ],
        "primaryKey": list(file.contract.key),
        "foreignKeys": [
            {"fields": list(shared), "reference": {"resource": target, "fields": list(shared)}}
            for target, shared in foreign_keys(file.name, columns, names)
        ],
    }
    if not schema["foreignKeys"]:
        del schema["foreignKeys"]
    return {
        "name": file.name,
        "type": "table",
        "path": file.path,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "description": file.contract.row,
        "hash": f"sha256:{file.sha256}",
        "schema": schema,
    }


def _frictionless(kind: pa.DataType, *, nullable: bool) -> str:
    """A type whose values the reader of Frictionless takes from Parquet.

    It reads whole numbers with gaps as real ones, and takes no list for its ``array``.
    """
    if pa.types.is_nested(kind):
        return "any"
    whole = "number" if nullable else "integer"
    return _one_of(kind, "boolean", whole, "number", "string")


def _one_of(kind: pa.DataType, flag: str, whole: str, real: str, text: str) -> str:
    if pa.types.is_boolean(kind):
        return flag
    if pa.types.is_integer(kind):
        return whole
    return real if pa.types.is_floating(kind) else text


# The names of Croissant 1.1 and what they stand for.
_OURS = (
    *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract"),
    *("field", "fileProperty", "fileObject", "fileSet", "format", "includes"),
    *("isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path"),
    *("recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
    **{name: f"cr:{name}" for name in _OURS},
}


def croissant(
    name: str, files: Sequence[DataFile], scenarios: Sequence[str], made: Provenance
) -> dict[str, Any]:
    """The Croissant 1.1 metadata of a data set; without licence, date and address."""
    by_name = {each.name: each for each in files}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": slug(name),
        "description": f"{ABOUT}: {', '.join(scenarios)}. Data {made.data}.",
        "version": __version__,
        "keywords": ["algorithm selection", "benchmarking", "ASlib"],
        "distribution": [_file_object(each) for each in files],
        "recordSet": [_record_set(each, by_name) for each in files],
    }


def _file_object(file: DataFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": f"{file.name}.parquet",
        "description": file.contract.row,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _record_set(file: DataFile, known: Mapping[str, DataFile]) -> dict[str, Any]:
    # A reference of Croissant is of one column, which must be the key of what it leads to: others would be
    # joined to more rows than one.
    leads = {
        shared[0]: target
        for target, shared in foreign_keys(file.name, file.schema.names, [*known])
        if tuple(known[target].contract.key) == shared and len(shared) == 1
    }
    return {
        "@type": "cr:RecordSet",
        "@id": file.name,
        "name": file.name,
        "description": file.contract.row,
        "key": [{"@id": f"{file.name}/{column}"} for column in file.contract.key],
        "field": [_field(file, field, leads.get(field.name)) for field in file.schema],
    }


def _field(file: DataFile, field: pa.Field, leads_to: str | None) -> dict[str, Any]:
    is_list = pa.types.is_list(field.type)
    of = field.type.value_type if is_list else field.type
    found = {
        "@type": "cr:Field",
        "@id": f"{file.name}/{field.name}",
        "name": field.name,
        "description": file.contract.columns.get(field.name, field.name),
        "dataType": _one_of(of, "sc:Boolean", "cr:Int64", "cr:Float64", "sc:Text"),
        "source": {"fileObject": {"@id": file.path}, "extract": {"column": field.name}},
    }
    if is_list:
        found |= {"isArray": True, "arrayShape": "-1"}
    if leads_to:
        column = {"@id": f"{leads_to}/{field.name}"}
        found["references"] = {"field": column}
    return found
