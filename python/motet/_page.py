"""What a fitted estimator says of itself: a few lines and small pictures in a notebook or a page, plots as Vega-Lite."""
from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

MOST_BARS = 30


class Bars(NamedTuple):
    """One bar for each name, from 0 to a value, with an interval where there is one."""

    title: str
    what: str  # the values
    names: list[str]
    values: list[float]
    intervals: list[tuple[float, float]] | None = None
    most: float | None = None  # end of the axis; None: the largest value


class Told(NamedTuple):
    lines: list[str]
    bars: list[Bars]
    warnings: list[str] = []


class Plot:
    """A picture that JupyterLab and VS Code draw themselves; `spec` is Vega-Lite."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec

    def __repr__(self) -> str:
        return f"Plot({self.spec['title']!r})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"application/vnd.vegalite.v5+json": self.spec, "text/plain": repr(self)}


def plot_of(bars: Bars) -> Plot:
    rows: list[dict[str, Any]] = []
    for number, (name, value) in enumerate(zip(bars.names, bars.values)):
        row: dict[str, Any] = {"name": name, "value": float(value)}
        if bars.intervals is not None:
            row["low"], row["high"] = map(float, bars.intervals[number])
        rows.append(row)
    y = {"field": "name", "type": "nominal", "sort": None, "title": None}
    scale = {"domain": [0, bars.most]} if bars.most is not None else {"zero": True}
    x = {"field": "value", "type": "quantitative", "title": bars.what, "scale": scale}
    layers: list[dict[str, Any]] = [{"mark": "bar", "encoding": {"x": x, "y": y}}]
    if bars.intervals is not None:
        layers = [{"mark": {"type": "point", "filled": True}, "encoding": {"x": x, "y": y}},
                  {"mark": "rule", "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}, "y": y}}]
    return Plot({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "title": bars.title, "width": 400,
                 "data": {"values": rows}, "layer": layers})


def picture_of(bars: Bars) -> str:
    """The same as a small SVG, the first MOST_BARS of them."""
    names, values = bars.names[:MOST_BARS], [float(value) for value in bars.values[:MOST_BARS]]
    ends = [high for _, high in bars.intervals[:MOST_BARS]] if bars.intervals is not None else []
    most = bars.most or max([*values, *map(float, ends), 1e-300])
    left, width, line = 150, 240, 16
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{line * len(names)}" '
             'font-family="sans-serif" font-size="11" role="img">']
    for row, (name, value) in enumerate(zip(names, values)):
        y = row * line
        short = name if len(name) <= 22 else name[:21] + "…"
        parts.append(f'<text x="{left - 6}" y="{y + 12}" text-anchor="end" fill="currentColor">{html.escape(short)}</text>')
        length = max(value, 0.0) / most * width
        if bars.intervals is None:
            parts.append(f'<rect x="{left}" y="{y + 3}" width="{length:.1f}" height="10" fill="#4c78a8"/>')
        else:
            low, high = (min(max(float(end), 0.0), most) / most * width for end in bars.intervals[row])
            parts.append(f'<line x1="{left + low:.1f}" x2="{left + high:.1f}" y1="{y + 8}" y2="{y + 8}" stroke="#4c78a8"/>'
                         f'<circle cx="{left + length:.1f}" cy="{y + 8}" r="3.5" fill="#4c78a8"/>')
        parts.append(f'<text x="{left + width + 8}" y="{y + 12}" fill="currentColor">{value:.3g}</text>')
    return "".join(parts) + "</svg>"


def html_of(name: str, told: Told) -> str:
    parts = [f"<div><strong>{html.escape(name)}</strong>"]
    parts += [f"<div>{html.escape(line)}</div>" for line in told.lines]
    for bars in told.bars:
        more = f" (the first {MOST_BARS} of {len(bars.names)})" if len(bars.names) > MOST_BARS else ""
        parts.append(f"<div><em>{html.escape(bars.title)}</em>{more}</div>{picture_of(bars)}")
    parts += [f"<div>warning: {html.escape(warning)}</div>" for warning in told.warnings]
    return "".join(parts) + "</div>"


def page_of(name: str, told: Told) -> str:
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{html.escape(name)}</title><style>body{{font-family:sans-serif;max-width:50em;margin:2em auto;"
            "padding:0 1em;line-height:1.5}}</style></head>"
            f"<body>{html_of(name, told)}</body></html>\n")


def summary_line(estimator: Any) -> str:
    return f"{'converged' if estimator.converged_ else 'not converged'} after {estimator.n_iter_} iterations"


def texts(values: Sequence[Any]) -> list[str]:
    return [str(value) for value in values]
