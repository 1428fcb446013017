"""Every name that a service writes into the audit has words, in which the page says what was done."""

import ast
from collections.abc import Iterator
from pathlib import Path

from league import services
from league.web.organiser.deed_words import DEED_NAMES


def modules() -> dict[str, ast.Module]:
    """The services by file name, read."""
    (folder,) = services.__path__
    return {path.stem: ast.parse(path.read_text("utf-8")) for path in sorted(Path(folder).glob("*.py"))}


def told_the_action(module: ast.Module) -> dict[str, int]:
    """The functions of a module that are told under which name they write, and at which place of their arguments."""
    found = {}
    for function in module.body:
        if isinstance(function, ast.FunctionDef):
            names = [argument.arg for argument in function.args.args]
            if "action" in names:
                found[function.name] = names.index("action")
    return found


def written(module: ast.Module, shared: dict[str, int]) -> Iterator[str]:
    """The names under which a module writes: what it says as `action`, by name or by place, constants looked up."""
    constants = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    places = shared | told_the_action(module)
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        said = [keyword.value for keyword in call.keywords if keyword.arg == "action"]
        if isinstance(call.func, ast.Name) and call.func.id in places:
            said += call.args[places[call.func.id] :][:1]
        for value in said:
            yield from strings(constants.get(value.id, value) if isinstance(value, ast.Name) else value)


def strings(value: ast.expr) -> Iterator[str]:
    """The strings that an expression can come to; not those that it only asks about."""
    if isinstance(value, ast.IfExp):
        yield from strings(value.body)
        yield from strings(value.orelse)
    elif isinstance(value, ast.BoolOp):
        for one in value.values:
            yield from strings(one)
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value


def names() -> set[str]:
    """Every name that league.services writes into the audit."""
    read = modules()
    shared: dict[str, int] = {}
    for module in read.values():
        shared |= {name: at for name, at in told_the_action(module).items() if not name.startswith("_")}
    return {name for module in read.values() for name in written(module, shared)}


def test_the_names_are_found_however_they_are_said() -> None:
    assert {
        "add_bye",  # as it is
        "check_out",  # one of two
        "correct",  # unless another one is given
        "confirm_overdue",  # a constant
        "set_clock",  # to a function of the module
        "decide_dispute",  # to a function of another one
    } <= names()
    assert "" not in names()


def test_every_name_that_a_service_writes_has_words() -> None:
    assert names() - set(DEED_NAMES) == set()


def test_no_words_are_kept_for_what_nobody_writes() -> None:
    assert set(DEED_NAMES) - names() == set()


def test_no_two_names_are_said_in_the_same_words() -> None:
    words = [str(said) for said in DEED_NAMES.values()]
    assert sorted(words) == sorted(set(words))
