"""Objects by import path, `module:name`. Importing runs the module's code: trust your configs."""

import sys
from importlib import import_module
from pathlib import Path

from .errors import ConfigError


def is_import_path(name: str) -> bool:
    """Whether a config names an object of a Python module rather than one of ours."""
    return ":" in name


def load_object(path: str, folder: Path | None = None):
    """The object at `module:name`; modules beside the config in `folder` are found too."""
    module_name, _, attribute = path.partition(":")
    if folder is not None and str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        module = import_module(module_name)
    except ImportError as error:
        raise ConfigError(
            f"cannot import module '{module_name}' of '{path}': {error}. Install it, or put its "
            f"file beside the config."
        ) from error
    except Exception as error:
        raise ConfigError(
            f"module '{module_name}' of '{path}' fails on import: {error!r}."
        ) from error
    target = module
    for part in attribute.split("."):
        if not part or not hasattr(target, part):
            raise ConfigError(
                f"module '{module_name}' has no '{attribute}'. Check the name after ':'."
            )
        target = getattr(target, part)
    return target
