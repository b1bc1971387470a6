"""YAML files read safely: no tags, no repeated keys, errors with file and line."""

from pathlib import Path

import yaml

from .errors import ConfigError


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key written twice, where PyYAML keeps the last without a word."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, dict | list):
                problem = "a key must be a plain name"
            elif key in seen:
                problem = f"the key '{key}' is written twice"
            else:
                seen.add(key)
                continue
            raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path):
    """The content of a YAML file as plain data."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}.") from error
    return parse_yaml(text, str(path))


def parse_yaml(text: str, where: str):
    """The content of YAML text as plain data; `where` names it in errors."""
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.constructor.ConstructorError as error:
        hint = (
            " Tags such as !!python/... are not allowed: plain YAML only."
            if "tag" in str(error.problem)
            else ""
        )
        raise ConfigError(f"{where}:{_line(error)}: {error.problem}.{hint}") from error
    except yaml.MarkedYAMLError as error:
        raise ConfigError(f"{where}:{_line(error)}: not valid YAML: {error.problem}.") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: not valid YAML: {' '.join(str(error).split())}.") from error


def _line(error: yaml.MarkedYAMLError) -> int:
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else 1
