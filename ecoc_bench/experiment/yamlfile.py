"""YAML files read safely: plain data, no repeated keys, bounded size, errors with file and line."""

from pathlib import Path

import yaml

from ..errors import ConfigError

LONGEST = 2**18  # bytes of a config; the shipped ones have about a thousand
MOST_NODES = 50_000  # values of a config; an alias counts each time it is used
PLAIN = ("null", "bool", "int", "float", "str", "seq", "map")


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader for plain data: it refuses a key written twice, which PyYAML lets pass."""

    def construct_object(self, node, deep=False):
        try:
            value = super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError) as error:  # `!!int x`, and PyYAML bugs
            raise _fault(node, f"not a value of its kind: {_cut(node)}") from error
        if isinstance(value, int) and abs(value) >= 2**64:
            raise _fault(node, f"a number beyond 64 bits: {_cut(node)}")
        return value

    def construct_mapping(self, node, deep=False):
        seen = set()
        if not isinstance(node, yaml.MappingNode):
            raise _fault(node, f"not a value of its kind: {_cut(node)}")
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise _fault(key_node, f"a key must be a plain name: quote {_cut(key_node)}")
            if key in seen:
                raise _fault(key_node, f"the key '{key}' is written twice")
            seen.add(key)
        return super().construct_mapping(node, deep)


_StrictLoader.yaml_implicit_resolvers = {  # a date stays text
    first: [pair for pair in pairs if not pair[0].endswith(":timestamp")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_StrictLoader.yaml_constructors = {
    tag: make
    for tag, make in yaml.SafeLoader.yaml_constructors.items()
    if tag is None or tag.rpartition(":")[2] in PLAIN
}


def read_yaml(path: Path):
    """The content of a YAML file as plain data."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LONGEST + 1)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file.") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{str(path)!r}: cannot be read: {error}.") from error
    if len(raw) > LONGEST:
        raise ConfigError(f"{path}: longer than {LONGEST} bytes: not a config.")
    try:
        return parse_yaml(raw.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: not UTF-8. Save the file as UTF-8.") from None


def parse_yaml(text: str, where: str):
    """The content of YAML text as plain data; `where` names it in errors."""
    try:
        loader = _StrictLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _size(node, {})
        return loader.construct_document(node)
    except yaml.constructor.ConstructorError as error:
        hint = (
            " Tags such as !!python/... are not allowed: plain YAML only."
            if "tag" in str(error.problem)
            else ""
        )
        raise ConfigError(f"{where}:{_line(error)}: {error.problem}.{hint}") from error
    except yaml.MarkedYAMLError as error:
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise ConfigError(f"{where}:{_line(error)}: not valid YAML: {what}.") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        what = f"the character {chr(error.character)!r} is not allowed in a text file"
        raise ConfigError(f"{where}:{line}: not valid YAML: {what}.") from error
    except RecursionError:
        raise ConfigError(f"{where}: not valid YAML: brackets nested too deeply.") from None


def _size(node, known: dict[int, int]) -> int:
    """How many values a node stands for once its aliases are written out."""
    if id(node) in known:
        if not known[id(node)]:
            raise _fault(node, "an anchor that holds itself")
        return known[id(node)]
    known[id(node)] = 0
    children = node.value if isinstance(node, yaml.CollectionNode) else []
    if isinstance(node, yaml.MappingNode):
        children = [part for pair in children for part in pair]
    total = 1 + sum(_size(child, known) for child in children)
    if total > MOST_NODES:
        raise _fault(node, f"more than {MOST_NODES} values: not a config")
    known[id(node)] = total
    return total


def _fault(node, problem: str) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def _cut(node) -> str:
    """The text of a scalar, short enough for a message."""
    text = str(node.value) if isinstance(node, yaml.ScalarNode) else f"a {node.id}"
    return repr(text if len(text) <= 60 else text[:60] + "...")


def _line(error: yaml.MarkedYAMLError) -> int:
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else 1
