"""Han characters drawn with fonts: many classes, few rows of each, and test fonts of other designs.

A row is a character in one font, turned, sheared, scaled and shifted a little, as grey pixels with
noise. The shipped data set `han` has 1,000 of them, drawn by this function with the seed 1000.
"""

from pathlib import Path

import numpy as np

from ..errors import ConfigError, DataError

LEVELS = 8  # of grey
CANVAS, GLYPH = 96, 72  # pixels: the drawing before it is made small, and the font in it
NOISE = 0.04  # its standard deviation, as a share of the darkest grey
# The characters that the standards of three countries have among their most frequent: the lead
# bytes of the first level of GB 2312, JIS X 0208 and Big5.
FIRST_LEVELS = {"gb2312": (0xB0, 0xD7), "euc_jp": (0xB0, 0xCF), "big5": (0xA4, 0xC6)}


def han(
    rng: np.random.Generator, classes: int = 1000, size: int = 16
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """So many characters, each once in every font, in size x size pixels; (X, y, train)."""
    every = [chr(code) for code in range(0x4E00, 0xA000) if _frequent(chr(code))]
    _check("classes", classes, len(every))
    _check("size", size, CANVAS)
    fonts = _found()
    characters = [every[i] for i in np.sort(rng.permutation(len(every))[:classes])]
    X = np.concatenate([_drawn(fonts[file], characters, size, rng) for file in FONTS])
    y = [f"U+{ord(character):04X}" for character in characters]
    train = np.arange(len(X)) < (len(FONTS) - TEST_FONTS) * classes
    return X, np.array(y * len(FONTS)), train


han.identity = "ecoc_bench.data.han:han"  # type: ignore[attr-defined]


def _check(name: str, value, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= most:
        raise ConfigError(f"{name} must be a whole number from 2 to {most}. Got {value!r} instead.")


def _frequent(character: str) -> bool:
    for codec, (low, high) in FIRST_LEVELS.items():
        written = character.encode(codec, errors="ignore")
        if len(written) != 2 or not low <= written[0] <= high:
            return False
    return True


def _found() -> dict[str, Path]:
    """The paths of the fonts, or a message that says what to install."""
    from matplotlib.font_manager import findSystemFonts

    paths = {Path(path).name: Path(path) for path in sorted(findSystemFonts())}
    absent = [file for file in FONTS if file not in paths]
    if absent:
        packages = " ".join(FONTS[file] for file in absent)
        raise DataError(
            f"han draws with {len(FONTS)} fonts, of which {len(absent)} are not installed: "
            f"{', '.join(absent)}. Install them (Debian: apt-get install {packages}), or use the "
            "shipped data set han."
        )
    return paths


def _drawn(path: Path, characters: list[str], size: int, rng: np.random.Generator) -> np.ndarray:
    """The pixels of each character in a font, each with its own distortion and noise."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(str(path), GLYPH)
    rows = np.empty((len(characters), size * size))
    for row, character in zip(rows, characters, strict=True):
        image = Image.new("L", (CANVAS, CANVAS))
        ImageDraw.Draw(image).text((CANVAS / 2, CANVAS / 2), character, 255, font, anchor="mm")
        if image.getbbox() is None:
            raise DataError(f"{path}: draws nothing for U+{ord(character):04X}. Install it again.")
        image = image.transform(
            image.size, Image.Transform.AFFINE, _distortion(rng), Image.Resampling.BILINEAR
        )
        small = image.resize((size, size), Image.Resampling.BOX)
        row[:] = np.asarray(small, dtype=float).ravel() / 255
    rows += NOISE * rng.standard_normal(rows.shape)
    return np.clip(np.rint((LEVELS - 1) * rows), 0, LEVELS - 1)


def _distortion(rng: np.random.Generator) -> tuple[float, ...]:
    """A map around the middle: up to 4 degrees, 7% of shear and scale, 3 of 96 pixels."""
    angle, shear = np.deg2rad(rng.uniform(-4, 4)), rng.uniform(-0.07, 0.07)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    A = turn @ np.array([[1, shear], [0, 1]]) / rng.uniform(0.93, 1.07, size=2)
    middle = np.full(2, CANVAS / 2)
    shift = middle - A @ middle + rng.uniform(-3, 3, size=2)
    return A[0, 0], A[0, 1], shift[0], A[1, 0], A[1, 1], shift[1]


# The file of each font and its Debian package, under licences that let anybody draw with them; the
# last four are for the test.
FONTS = {
    "BIZUDMincho-Regular.ttf": "fonts-morisawa-bizud-mincho",
    "HanaMinA.ttf": "fonts-hanazono",
    "ipam.ttf": "fonts-ipafont-mincho",
    "ipag.ttf": "fonts-ipafont-gothic",
    "VL-Gothic-Regular.ttf": "fonts-vlgothic",
    "MTLc3m.ttf": "fonts-motoya-l-cedar",
    "DroidSansFallbackFull.ttf": "fonts-droid-fallback",
    "Konatu.ttf": "fonts-konatu",
    "setofont.ttf": "fonts-seto",
    "SmileySans-Oblique.ttf": "fonts-smiley-sans",
    "YuseiMagic-Regular.ttf": "fonts-yusei-magic",
    "BIZUDGothic-Regular.ttf": "fonts-morisawa-bizud-gothic",
    "MTLmr3m.ttf": "fonts-motoya-l-maruberi",
    "kiloji.ttf": "fonts-kiloji",
    "sawarabi-gothic-medium.ttf": "fonts-sawarabi-gothic",
}
TEST_FONTS = 4
