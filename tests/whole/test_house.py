"""The house: every import goes the way that the table in the package's docstring allows."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

import ecoc_bench
from ecoc_bench.files import PACKAGE

ON_TOP = ("errors", "files", "plugins", "published", "seeds", "synthetic")  # import no package
ABOVE_ALL = ("__init__", "__main__", "notebook")  # import all, imported by none


def allowed():
    """package -> what it may import: packages, or single modules such as results.catalogue."""
    rows = re.findall(r"^\| `(\w+)` +\| ([^|]+?) +\|$", ecoc_bench.__doc__, re.MULTILINE)
    table = {
        package: set() if rest == "nothing" else set(rest.split(", ")) for package, rest in rows
    }
    every = set(table)
    return {p: every - {p} if "all" in may else may for p, may in table.items()}


@cache
def modules():
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text())
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imports(name, tree):
    """The modules of ours that a module imports anywhere in it, also inside functions."""
    package = name.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            full = [alias.name for alias in node.names if alias.name.startswith("ecoc_bench.")]
            yield from (one.removeprefix("ecoc_bench.") for one in full)
        elif isinstance(node, ast.ImportFrom) and (node.level or _is_ours(node.module)):
            start = package[: len(package) - node.level + 1] if node.level else []
            own = (node.module or "").removeprefix("ecoc_bench").strip(".")
            path = [*start, *(own.split(".") if own else [])]
            for alias in node.names:
                yield ".".join([*path, alias.name])


def _is_ours(module):
    return module == "ecoc_bench" or (module or "").startswith("ecoc_bench.")


def known(imported):
    """The module that an imported name is or lies in; None for the package's own names."""
    while imported and imported not in modules() and f"{imported}.__init__" not in modules():
        imported = imported.rpartition(".")[0]
    return imported or None


@cache
def edges():
    """The modules of ours that each of them imports."""
    return {
        name: {found for one in imports(name, tree) if (found := known(one))}
        for name, tree in modules().items()
    }


def fault(name, imported, table):
    """Why a module may not import another, or None."""
    package, other = name.partition(".")[0], imported.partition(".")[0]
    if other in ABOVE_ALL:
        return "nothing imports it"
    if other in ON_TOP or name in ABOVE_ALL or package == other:
        return None
    if package in ON_TOP:
        return "modules on top import no package"
    may = table[package]
    return None if other in may or imported in may else f"{package} may import {sorted(may)}"


def test_every_package_is_in_the_table():
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert packages == set(allowed())


def test_every_module_on_top_has_its_place():
    top = {name for name in modules() if "." not in name}
    assert top == {*ON_TOP, *ABOVE_ALL}


def test_imports_follow_the_table():
    table = allowed()
    faults = [
        f"{name} imports {imported}: {why}"
        for name, found in edges().items()
        for imported in sorted(found)
        if (why := fault(name, imported, table))
    ]
    assert not faults, "\n".join(faults)


def test_no_package_imports_itself_in_a_circle():
    """Not even inside functions: a cycle of modules is two rooms that should be one."""
    graph = {
        name: {one for one in found if one in modules() and one != name}
        for name, found in edges().items()
        if not name.endswith("__init__")
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize(
    ("name", "imported", "allowed_"),
    [
        ("coding.codes", "learners.svm", False),
        ("coding.codes", "errors", True),
        ("experiment.plan", "results.catalogue", True),
        ("experiment.plan", "results.run", False),
        ("results.run", "papers.claims", False),
        ("report.page", "running.fit", False),
        ("files", "coding.codes", False),
        ("cli.look", "report.page", True),
        ("cli.look", "notebook", False),
        ("notebook", "running.store", True),
    ],
)
def test_the_rule_tells_right_from_wrong(name, imported, allowed_):
    assert (fault(name, imported, allowed()) is None) == allowed_


def test_each_package_says_in_a_sentence_what_it_holds():
    for name, tree in modules().items():
        if name.endswith("__init__"):
            sentence = (ast.get_docstring(tree) or "").splitlines()[0]
            assert sentence.endswith((".", "?")), name


def test_the_list_of_the_package_fits_on_a_screen():
    about = {"__pycache__", "README.md"}  # explains the list
    entries = [path.name for path in PACKAGE.iterdir() if path.name not in about]
    assert len(entries) <= 24, sorted(entries)
