"""The frame of every page: head, colours for light and dark, title, footer. Each view gives what is its own."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from .. import __version__

SOFTWARE = f"CliqueRAG {__version__}"


def page(
    kind: str, title: str, body: str, *, lead: str = "", footer: str = "", language: str = "en", data: str = ""
) -> str:
    """One self-contained HTML page: no other file, no network.

    ``kind`` names the style sheet beside this file and, where there is one, the script ("graph": ``graph.css``,
    ``graph.js``). ``body`` and ``lead``, which stands below the title, are markup; ``title`` and ``footer`` are text.
    ``data`` is JSON for the script; it cannot close the element that it stands in.
    """
    return _template().substitute(
        kind=kind,
        language=language,
        title=escape(title),
        style=_part(f"{kind}.css"),
        lead=lead,
        body=body,
        footer=escape(" · ".join(filter(None, (footer, SOFTWARE)))),
        script=_scripts(kind, data),
    )


def element(name: str, /, *content: str, **attributes: str | float | None) -> str:
    """An element of HTML or SVG. Content is markup, part after part; attributes are text, left out without a value.

    "_" in the name of an attribute stands for "-", but at the end, where Python needs it.

    >>> element("td", "1,284.6", class_="number", colspan=None)
    '<td class="number">1,284.6</td>'
    """
    written = [name]
    for key, value in attributes.items():
        if value not in (None, ""):
            shown = f"{value:.1f}" if isinstance(value, float) else str(value)
            written.append(f'{key.rstrip("_").replace("_", "-")}="{_quoted(shown)}"')
    return f"<{' '.join(written)}>{''.join(content)}</{name}>"


def classes(*always: str, **where: object) -> str:
    """Classes of an element: those that it always has, then those whose condition holds.

    >>> classes("piece", gold=True, low=False)
    'piece gold'
    """
    return " ".join(filter(None, (*always, *(name for name, holds in where.items() if holds))))


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _scripts(kind: str, data: str) -> str:
    script = _part(f"{kind}.js")
    if not script:
        return ""
    parts = [element("script", "\n", script)]
    if data:
        held = data.replace("<", "\\u003c").replace("\u2028", " ").replace("\u2029", " ")
        parts.insert(0, element("script", held, type="application/json", id=kind))
    return "\n".join(parts)


@cache
def _template() -> Template:
    return Template(_part("page.html"))


@cache
def _part(name: str) -> str:
    """A file beside this one; "" where there is none."""
    file = files(__package__).joinpath(name)
    return file.read_text(encoding="utf-8") if file.is_file() else ""
