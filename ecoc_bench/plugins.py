"""Objects by import path, `module:name`. Importing runs the module's code: trust your configs."""

import inspect
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path

from .errors import ConfigError, reason, shown, unknown


def is_import_path(name: str) -> bool:
    """Whether a config names an object of a Python module rather than one of ours."""
    return ":" in name


def load_object(path: str, folder: Path | None = None):
    """The object at `module:name`; modules next to the config, in `folder`, are found, too."""
    module_name, _, attribute = path.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), *attribute.split("."))):
        raise ConfigError(f"an import path must be 'module:name'. Got {shown(path)} instead.")
    if folder is not None and str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        module = import_module(module_name)
    except ImportError as error:
        raise ConfigError(
            f"cannot import module '{module_name}' of '{path}': {error}. Install it, or put its "
            f"file next to the config."
        ) from error
    except (Exception, SystemExit) as error:
        raise ConfigError(
            f"module '{module_name}' of '{path}' fails on import: {reason(error)}."
        ) from error
    try:
        return attrgetter(attribute)(module)
    except AttributeError as error:
        place = getattr(module, "__file__", None) or "built in"
        raise ConfigError(
            f"module '{module_name}' has no '{attribute}' ({place}). Check the name after ':', "
            "and that no other module has this name."
        ) from error
    except Exception as error:
        raise ConfigError(f"'{path}' cannot be loaded: {reason(error)}.") from error


def check_params(make, params: dict) -> None:
    """Every parameter must be one that `make` takes."""
    try:
        known = inspect.signature(make).parameters
    except (TypeError, ValueError):  # some built-in functions have no readable signature
        return
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    for name in params:
        if name not in known:
            raise ConfigError(unknown("parameter", name, [n for n in known if n != "self"]))


def modules_beside(folder: Path) -> list[str]:
    """The files of the modules that were loaded from a config's folder."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return sorted({f for f in files if f and Path(f).resolve().parent == folder.resolve()})
