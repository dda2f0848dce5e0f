"""Options that extensions and other packages add to a command.

An entry point of the group ``aslib_eval.options`` is named like the function of the command and the option,
such as ``score.optimiser``, and leads to a function that answers in its place when that option is given.
Its signature says all:

* parameters that the command has too are those that it makes use of: it is handed what
  is given of them, and all others are refused beside the option; one that ends with ``**choices`` makes use
  of all;
* parameters that the command lacks are added to it, each with its ``Option``. They go
  with the option that the entry point is named after, or with what they say.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from aslib_eval.errors import AslibError
from aslib_eval.options import Option, is_given, option_of, parameters_of, type_of
from aslib_eval.plugins import Registry, leave_out

Parameters = Mapping[str, inspect.Parameter]
_REST = inspect.Parameter.VAR_KEYWORD


@dataclass(frozen=True)
class AddedOption:
    """An option, and the function that answers the command when it is given."""

    name: str
    answer: Callable[..., Any]
    parameters: Parameters

    def beside(self, own: Parameters) -> AddedOption:
        """The same, with the command's own parameters for ``**choices``."""
        kinds = {name: each.kind for name, each in self.parameters.items()}
        rest = [name for name, kind in kinds.items() if kind is _REST]
        if not rest:
            return self
        named = {n: p for n, p in self.parameters.items() if n not in rest}
        return replace(self, parameters={**own, **named})

    def used(self, given: Mapping[str, object]) -> dict[str, Any]:
        """What is given of that which the function makes use of."""
        return {name: given[name] for name in given if name in self.parameters}


def _made(name: str, found: object) -> AddedOption:
    option = name.rpartition(".")[2]
    if not inspect.isfunction(found):
        raise AslibError(f"is a {type(found).__name__}, and no function")
    parameters = parameters_of(found)
    if option not in _options(parameters):
        raise AslibError(f"has no parameter {option} with an Option")
    return AddedOption(option, found, parameters)


_REGISTRY: Registry[AddedOption] = Registry("options", {}, _made)


def added_to(function: str, own: Parameters) -> dict[str, AddedOption]:
    """What is added to the function of that name with these parameters, by option."""
    found: dict[str, AddedOption] = {}
    taken = {*own}
    for name, added in _REGISTRY.usable(f"{function}.").items():
        new = _options(added.parameters).keys() - own.keys()
        if again := new & taken or {added.name} - new:
            plug_in = _REGISTRY.plug_in(name)
            fault = f"adds {min(again)}, which {function} has already"
            leave_out(plug_in.error(fault) if plug_in else AslibError(fault, name))
            continue
        taken |= new
        found[added.name] = added.beside(own)
    return found


def declared(function: Callable[..., Any]) -> Parameters:
    """The parameters of a public function, with those that are added to it."""
    own = parameters_of(function)
    return with_added(own, added_to(function.__name__, own))


def with_added(own: Parameters, added: Mapping[str, AddedOption]) -> Parameters:
    """All parameters of a command, with what goes together."""
    found = dict(own)
    for each in added.values():
        for name, option in _options(each.parameters).items():
            if name not in own:
                need = "" if name == each.name else option.goes_with or each.name
                changed = replace(option, goes_with=need)
                found[name] = _keyword(each.parameters[name], changed)
    for each in added.values():
        refused = tuple(name for name in _options(found) if name not in each.parameters)
        option = _options(found)[each.name]
        changed = replace(option, goes_without=(*option.goes_without, *refused))
        found[each.name] = _keyword(found[each.name], changed)
    return found


def asked_of(added: Mapping[str, AddedOption], given: Mapping[str, object]) -> AddedOption | None:
    """Who answers in the place of the command's function; None for nobody."""
    for name, each in added.items():
        if is_given(given.get(name), each.parameters[name].default):
            return each
    return None


def _options(parameters: Parameters) -> dict[str, Option]:
    return {
        name: option
        for name, parameter in parameters.items()
        if (option := option_of(parameter.annotation))
    }


def _keyword(parameter: inspect.Parameter, option: Option) -> inspect.Parameter:
    kind: Any = type_of(parameter.annotation)
    return parameter.replace(annotation=Annotated[kind, option], kind=parameter.KEYWORD_ONLY)
