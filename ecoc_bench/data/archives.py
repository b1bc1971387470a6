"""The raw files of a public archive -> the text of our CSV or svmlight file; bytes in, text out.

Each converter raises ValueError if a file does not have the expected layout.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

LONGEST = 32  # bytes of an index and its value
DERMATOLOGY = (
    "erythema,scaling,definite_borders,itching,koebner_phenomenon,polygonal_papules,"
    "follicular_papules,oral_mucosal,knee_and_elbow,scalp_involvement,family_history,"
    "melanin_incontinence,eosinophils,pnl_infiltrate,fibrosis,exocytosis,acanthosis,"
    "hyperkeratosis,parakeratosis,clubbing,elongation,thinning,spongiform_pustule,"
    "munro_microabcess,focal_hypergranulosis,granular_layer,vacuolisation,spongiosis,"
    "saw-tooth_appearance,follicular_horn_plug,perifollicular_parakeratosis,"
    "inflammatory_monoluclear,band-like_infiltrate,age,class"
)
IMAGESEG = (
    "split,region-centroid-col,region-centroid-row,region-pixel-count,short-line-density-5,"
    "short-line-density-2,vedge-mean,vedge-sd,hedge-mean,hedge-sd,intensity-mean,rawred-mean,"
    "rawblue-mean,rawgreen-mean,exred-mean,exblue-mean,exgreen-mean,value-mean,"
    "saturation-mean,hue-mean,class"
)
THYROID = (
    "age,sex,on_thyroxine,query_on_thyroxine,on_antithyroid_medication,sick,pregnant,"
    "thyroid_surgery,I131_treatment,query_hypothyroid,query_hyperthyroid,lithium,goiter,tumor,"
    "hypopituitary,psych,TSH_measured,TSH,T3_measured,T3,TT4_measured,TT4,T4U_measured,T4U,"
    "FTI_measured,FTI,TBG_measured,TBG,referral_source,class"
)


def dermatology(data: bytes) -> str:
    """dermatology.data; lines starting with % or @ come from OpenML's ARFF copy."""
    rows = [line for line in _lines(data) if not line.startswith(("%", "@"))]
    return _csv(DERMATOLOGY, (_cells(row) for row in rows))


def imageseg(train: bytes, test: bytes) -> str:
    """segmentation.data and .test: a comment, the names of the columns, then CLASS,values."""
    rows = []
    for part, raw in (("train", train), ("test", test)):
        lines = _lines(raw)
        names = next((i for i, line in enumerate(lines) if line.startswith("REGION-")), None)
        if names is None:
            raise ValueError("no line with the names of the columns (REGION-CENTROID-COL, ...)")
        for line in lines[names + 1 :]:
            label, *values = _cells(line)
            rows.append([part, *values, label.upper()])
    return _csv(IMAGESEG, rows)


def isolet(train: bytes, test: bytes) -> str:
    """isolet1+2+3+4.data and isolet5.data: 617 values of four decimals, then ``26.``."""
    rows = []
    for part, raw in (("train", train), ("test", test)):
        for line in _lines(raw):
            *values, label = map(float, _cells(line))
            rows.append([part, *(f"{value:.4f}" for value in values), f"{label:g}"])
    return _csv(_numbered(617), rows)


def isolet_part(train: bytes, test: bytes) -> str:
    """The same files; the first 30 speakers say each letter twice in isolet1."""
    return isolet("\n".join(_lines(train)[: 30 * 52]).encode(), test)


def thyroid(data: bytes) -> str:
    """thyroid0387.data; the class is the first character of ``diagnosis[record id]``."""
    rows = []
    for line in _lines(data):
        *values, diagnosis = _cells(line)
        rows.append([*values, diagnosis[:1]])
    return _csv(THYROID, rows)


def usps(train: bytes, test: bytes) -> str:
    """zip.train and zip.test: the digit, then 256 grey values; one prints 6.0000, the other 6."""
    rows = []
    for part, raw in (("train", train), ("test", test)):
        for line in _lines(raw):
            digit, *pixels = (f"{float(cell):g}" for cell in line.split())
            rows.append([part, *pixels, digit])
    return _csv(_numbered(256), rows)


def aloi(data: bytes) -> str:
    """aloi in the format of svmlight: the object, then ``index:value`` where it is not 0."""

    def rows() -> Iterator[tuple[str, dict[int, str]]]:
        return _sparse_rows(data, 108_000, 128)

    columns = range(1, max((max(values, default=0) for _, values in rows()), default=0) + 1)
    header = ",".join([*(f"a{j}" for j in columns), "class"])
    return _csv(header, ([*(values.get(j, "0") for j in columns), y] for y, values in rows()))


def sector(train: bytes, test: bytes) -> str:
    """sector.scale and sector.t.scale, one after the other, as they are: sparse."""
    rows = chain(_sparse_rows(train, 6412, 55_197), _sparse_rows(test, 3207, 55_197))
    lines = (" ".join([y, *(f"{j}:{value}" for j, value in row.items())]) for y, row in rows)
    return "\n".join(lines) + "\n"


def _sparse_rows(raw: bytes, most: int, attributes: int) -> Iterator[tuple[str, dict[int, str]]]:
    """The label and the values of each line; more of them than there can be are not unpacked."""
    if raw.count(b"\n") > most:
        raise ValueError(f"more than {most:,} lines")
    return (_sparse(line, attributes) for line in raw.split(b"\n") if line.strip())


def _sparse(line: bytes, attributes: int) -> tuple[str, dict[int, str]]:
    if len(line) > LONGEST * (attributes + 1):
        raise ValueError(f"a line of {len(line):,} bytes for {attributes:,} attributes")
    label, *pairs = line.decode().split()
    cut = [pair.partition(":") for pair in pairs]
    indices, values = [int(j) for j, _, _ in cut], [value for *_, value in cut]
    for text in (label, *values):
        float(text)
    if [0, *indices, attributes + 1] != sorted({0, *indices, attributes + 1}):
        raise ValueError(f"{label} {' '.join(pairs)[:40]}: not indices from 1 to {attributes:,}")
    return label, dict(zip(indices, values, strict=True))


def _lines(raw: bytes) -> list[str]:
    """The lines that are not blank."""
    return [line for line in raw.decode("utf-8").splitlines() if line.strip()]


def _cells(line: str) -> list[str]:
    """The cells of a line; a missing one, ``?``, becomes empty."""
    return ["" if cell == "?" else cell for cell in (part.strip() for part in line.split(","))]


def _numbered(attributes: int) -> str:
    """A header for attributes without names."""
    return ",".join(["split", *(f"a{j}" for j in range(1, attributes + 1)), "class"])


def _csv(header: str, rows: Iterable[list[str]]) -> str:
    width = header.count(",") + 1
    lines = [header]
    for i, row in enumerate(rows, start=1):
        if len(row) != width:
            raise ValueError(f"row {i} gives {len(row)} cells, not {width}")
        lines.append(",".join(row))
    return "\n".join(lines) + "\n"


CONVERTERS: dict[str, Callable[..., str]] = {
    "aloi": aloi,
    "dermatology": dermatology,
    "imageseg": imageseg,
    "isolet": isolet,
    "isolet_part": isolet_part,
    "sector": sector,
    "thyroid": thyroid,
    "usps": usps,
}
