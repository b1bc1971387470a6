"""Figure 2 of Allwein et al. 2000: one example decoded by Hamming distance and by its loss.

The paper's text says what its figure shows: four classes, a code of seven columns, the exponential
loss, and another class by each decoder. The entries of the code and the margins are an example of
this; the distances are computed.
"""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from ...coding.decoders import exponential, hamming, predict
from ...plots.code import COLOURS
from ...plots.style import BLACK, GREY, head, panels, styled

M = np.array(
    [
        [-1, 0, -1, -1, 1, -1, -1],
        [1, -1, 0, 1, 1, 1, -1],
        [1, 0, -1, -1, -1, 1, 1],
        [-1, -1, 1, 0, -1, -1, 1],
    ],
    dtype=np.int8,
)
F = np.array([[0.5, -7.0, -1.0, -2.0, -10.0, -12.0, 9.0]])
SIGNS = {-1: "−", 0: "0", 1: "+"}


def distances() -> dict[str, np.ndarray]:
    """d_H of Eq. 4 and d_L of Eq. 5, of the example to each class."""
    # The exponential decoder returns the logarithm of the sum, which has the same order.
    return {
        "Hamming decoding": hamming(M, F)[0],
        "Loss-based decoding": np.exp(exponential(M, F)[0]),
    }


@styled
def draw_decoding(title: str) -> Figure:
    """The predictions on top of the code, a distance next to each row; the lowest is bold."""
    figure, grid = panels(2, 1, 4.6)
    shown = [[SIGNS[int(np.sign(f))] for f in F[0]], [f"{f:g}" for f in F[0]]]
    heads = ["sign f(x)", "f(x)"]
    for axes, name, top, word in zip(grid[:, 0], distances(), shown, heads, strict=True):
        _panel(axes, distances()[name], top, word)
        axes.set_title(name, loc="left")
    head(figure, title)
    return figure


def _panel(axes, D: np.ndarray, top: list[str], word: str) -> None:
    k, ell = M.shape
    axes.imshow(M, cmap=ListedColormap(list(COLOURS.values())), vmin=-1, vmax=1, alpha=0.45)
    for s, text in enumerate(top):
        axes.text(s, -1.0, text.replace("-", "−"), ha="center", va="center")
    axes.text(-0.8, -1.0, word, ha="right", va="center", color=GREY)
    best = int(predict(D[None])[0])
    for r in range(k):
        weight = "bold" if r == best else "normal"
        for s in range(ell):
            axes.text(s, r, SIGNS[int(M[r, s])], ha="center", va="center", color=BLACK)
        axes.text(-0.8, r, f"class {r + 1}", ha="right", va="center", weight=weight)
        axes.text(ell - 0.2, r, f"d = {_number(D[r])}", va="center", weight=weight)
    axes.set_xlim(-2.5, ell + 2)
    axes.set_ylim(k - 0.4, -1.5)
    axes.set_axis_off()


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"
