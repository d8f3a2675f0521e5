"""Scenarios: by the name of a preset, from a file, as TOML, or as a dict."""

import os
import pathlib

from . import _railyard

Scenario = _railyard.Scenario


def presets():
    """Names of the scenarios that come with the program."""
    return _railyard.presets()


def load(scenario, set=None, seed=None):
    """A scenario, ready to run.

    `scenario`: the name of a preset, the path of a TOML file, TOML itself (a text with a line break), a dict of what a TOML
    file would hold, or a scenario that was loaded. `set`: keys to override, {"transport.mtu": 1024}. `seed`: of every random
    stream. Raises railyard.Error with every mistake; its `diagnostics` say where each is.
    """
    if isinstance(scenario, Scenario):
        if not set and seed is None:
            return scenario
        scenario = scenario.text
    overrides = [f"{key}={toml_value(value)}" for key, value in (set or {}).items()]
    if seed is not None:
        overrides.append(f"engine.seed={int(seed)}")
    if isinstance(scenario, dict):
        return _railyard.parse(toml_text(scenario), overrides)
    name = os.fspath(scenario) if isinstance(scenario, os.PathLike) else scenario
    if not isinstance(name, str):
        raise TypeError(
            f"a scenario is a name, a path, TOML or a dict, not {type(scenario).__name__}"
        )
    return _railyard.parse(name, overrides) if "\n" in name else _railyard.load(name, overrides)


def toml_value(value):
    """A value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "item"):  # of numpy
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, pathlib.PurePath)):
        return '"' + "".join(map(_escaped, str(value))) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items())
            + " }"
        )
    raise TypeError(
        f"{value!r} has no place in a scenario: use texts, numbers, booleans, lists and dicts"
    )


def toml_text(tables):
    """A dict as TOML: what is single first, then tables, then lists of tables."""
    return "".join(_lines(tables, ()))


def _lines(table, path):
    nested, repeated = {}, {}
    for key, value in table.items():
        if isinstance(value, dict):
            nested[key] = value
        elif (
            isinstance(value, (list, tuple))
            and value
            and all(isinstance(item, dict) for item in value)
        ):
            repeated[key] = value
        elif value is not None:
            yield f"{_key(key)} = {toml_value(value)}\n"
    for key, value in nested.items():
        yield f"[{'.'.join(map(_key, (*path, key)))}]\n"
        yield from _lines(value, (*path, key))
    for key, values in repeated.items():
        for value in values:
            yield f"[[{'.'.join(map(_key, (*path, key)))}]]\n"
            yield from _lines(value, (*path, key))


def _key(key):
    plain = all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if key and plain else toml_value(key)


def _escaped(c):
    if c in '"\\':
        return "\\" + c
    return f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c
