"""Templates of pages that need no other file and no network: style, script and filters."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from ..results.tables import signed

HERE = Path(__file__).resolve().parent


@cache
def template(name: str) -> Template:
    """A page with its style and script; everything put into it later is text, never HTML."""
    css, js = (Markup((HERE / f"page.{kind}").read_text("utf-8")) for kind in ("css", "js"))
    # The browser may run this script and no other.
    digest = base64.b64encode(hashlib.sha256(js.encode()).digest()).decode()
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(signed=signed, ticks=ticks, breakable=breakable)
    own = {"css": css, "js": js, "script_hash": f"sha256-{digest}"}
    return environment.get_template(name, globals=own)


def ticks(text: str) -> Markup:
    """Text with `commands` between ticks set as code.

    >>> ticks("`run` < it")
    Markup('<code>run</code> &lt; it')
    """
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def breakable(name: str) -> Markup:
    """A name that may go on in another line after each underscore.

    >>> breakable("a_<b>")
    Markup('a_<wbr>&lt;b&gt;')
    """
    return escape(name).replace("_", Markup("_<wbr>"))


def data_uri(svg: bytes) -> str:
    """A picture as a data URI: an image runs no script and shares no names with the page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
