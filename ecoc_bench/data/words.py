"""Words as sequences of noisy letters, 16 x 8 pixels each: data for methods that see neighbours.

A letter alone is hard to read; that few letters follow one another in words helps.
"""

import numpy as np

from ..errors import ConfigError

HEIGHT, WIDTH = 16, 8  # pixels; a letter of the font is 14 x 5, with every row twice
TEST_SHARE = 4  # one word of the list in so many is in the test part alone, if it is to be unseen

# Seven rows of five pixels for each letter, a row as a number whose highest bit is on the left.
FONT = {
    "a": "0E 11 11 1F 11 11 11", "b": "1E 11 11 1E 11 11 1E", "c": "0E 11 10 10 10 11 0E",
    "d": "1E 11 11 11 11 11 1E", "e": "1F 10 10 1E 10 10 1F", "f": "1F 10 10 1E 10 10 10",
    "g": "0E 11 10 17 11 11 0F", "h": "11 11 11 1F 11 11 11", "i": "0E 04 04 04 04 04 0E",
    "j": "07 02 02 02 02 12 0C", "k": "11 12 14 18 14 12 11", "l": "10 10 10 10 10 10 1F",
    "m": "11 1B 15 15 11 11 11", "n": "11 11 19 15 13 11 11", "o": "0E 11 11 11 11 11 0E",
    "p": "1E 11 11 1E 10 10 10", "q": "0E 11 11 11 15 12 0D", "r": "1E 11 11 1E 14 12 11",
    "s": "0F 10 10 0E 01 01 1E", "t": "1F 04 04 04 04 04 04", "u": "11 11 11 11 11 11 0E",
    "v": "11 11 11 11 11 0A 04", "w": "11 11 11 15 15 15 0A", "x": "11 11 0A 04 0A 11 11",
    "y": "11 11 11 0A 04 04 04", "z": "1F 01 02 04 08 10 1F",
}  # fmt: skip
TEXT = """
    about above across after again always animal answer around autumn basket because before
    between blanket branch bread breeze bridge bright brother butter button candle castle change
    chapter children circle clever climb cloud coffee common copper corner cotton country crazy
    dance dinner dozen dream eagle earth engine enjoy evening every exact example family farmer
    father feather field figure finger flower follow forest fortune fox freeze frozen garden gentle
    giraffe glove golden grape green ground half hammer happy harbor heavy history horizon horse
    hungry island jacket jewel jockey journey joke judge juice jungle kettle kitchen kitten knife
    ladder language lazy letter library liquid little machine market matrix measure middle mirror
    mixture monkey morning mother mountain music narrow nature never nothing number object ocean
    orange paper pencil people picture pilot planet plenty pocket prize puzzle quality quarter queen
    question quick quiet rabbit rather reason ribbon river rocket sailor school season second
    shadow silver simple sister six sleep smooth spring square squirrel station story strange
    street strong summer sunset sweet table taxi teacher thunder ticket together tower travel
    under uncle valley velvet village violin voice wagon water weather wheel whisper window winter
    wizard wonder yellow yesterday young zebra zero
"""
LIST = tuple(TEXT.split())


def words(rng, words: int = 400, noise: float = 0.1, unseen: bool = False):
    """So many words of LIST, each about as often; (X, y, train, sequences), a row for each letter.

    Every letter lies somewhere in its 16 x 8 pixels, of which a share `noise` is then inverted.
    There are no parts, and the same words are in all folds; if `unseen`, there is a test part of
    words that the training part does not have.
    """
    _check(words, noise, unseen)
    order = [LIST[i] for i in rng.permutation(len(LIST))]
    chosen = [order[i % len(order)] for i in range(words)]
    letters = np.array([letter for word in chosen for letter in word])
    sequences = np.repeat(np.arange(words), [len(word) for word in chosen])
    X = np.array([_bitmap(letter, rng) for letter in letters])
    X = np.abs(X - (rng.random(X.shape) < noise))
    if not unseen:
        return X, letters, None, sequences
    kept_back = _kept_back(order[: min(words, len(order))])
    return X, letters, np.array([w not in kept_back for w in chosen])[sequences], sequences


words.identity = "ecoc_bench.data.words:words"  # type: ignore[attr-defined]


def _check(words, noise, unseen) -> None:
    if isinstance(words, bool) or not isinstance(words, int) or words < 2:
        raise ConfigError(f"words must be a whole number, 2 or more. Got {words!r} instead.")
    if isinstance(noise, bool) or not isinstance(noise, int | float) or not 0 <= noise <= 0.5:
        raise ConfigError(f"noise must be a number from 0 to 0.5. Got {noise!r} instead.")
    if not isinstance(unseen, bool):
        raise ConfigError(f"unseen must be true or false. Got {unseen!r} instead.")


def _bitmap(letter: str, rng) -> np.ndarray:
    rows = [[int(bit) for bit in f"{int(row, 16):05b}"] for row in FONT[letter].split()]
    glyph = np.repeat(rows, 2, axis=0)
    down, right = rng.integers([0, 1], [HEIGHT - len(glyph) + 1, WIDTH - glyph.shape[1]])
    pixels = np.zeros((HEIGHT, WIDTH))
    pixels[down : down + len(glyph), right : right + glyph.shape[1]] = glyph
    return pixels.ravel()


def _kept_back(order: list[str]) -> set[str]:
    """The first words without which the others still have each of their letters twice or more."""
    left = {letter: sum(letter in word for word in order) for letter in FONT}
    kept: set[str] = set()
    for word in order:
        if len(kept) < len(order) // TEST_SHARE and all(left[letter] > 2 for letter in set(word)):
            kept.add(word)
            left.update({letter: left[letter] - 1 for letter in set(word)})
    return kept
