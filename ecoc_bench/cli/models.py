"""Commands for the files of models: predict, export."""

import sys
from pathlib import Path

import click

from . import main
from .judge import Between


@main.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("table", metavar="TABLE", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False),
    help="CSV file for the rows with their predictions. Default: print them.",
)  # fmt: skip
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.option(
    "--abstain", type=Between(0, 1), default=0.0, metavar="P",
    help="Leave the prediction empty where it is less probable than P.",
)  # fmt: skip
@click.option(
    "--unseen", type=click.Choice(["missing", "error"]), default="missing", show_default=True,
    help="Categories that were not in the training data count as missing, or are an error.",
)  # fmt: skip
@click.option("--drift", is_flag=True, help="Say which columns look unlike the training data.")
def predict(model, table, out, proba, abstain, unseen, drift):
    """Predict the rows of TABLE, a CSV or Parquet file, by MODEL, a file of `ecoc-bench try`.

    All columns and the order of the rows are kept, and `predicted` is added. Where the column of
    the label is there, the predictions are scored.

    \b
    Example:
      ecoc-bench predict try/iris/model.ecoc new.csv --out predicted.csv --proba
    """
    from ..data.formats import format_of
    from ..errors import DataError
    from ..files import atomically
    from ..models.file import load
    from ..models.predicting import Wanted, predict_file, text_file

    if out is not None and out.resolve() == table.resolve():
        raise DataError(f"--out {out}: the table itself. Choose another file.")
    if out is not None and format_of(out) != "csv":
        raise DataError(f"--out {out}: a CSV is written. Choose a name that ends in .csv.")
    loaded, wanted = load(model), Wanted(proba, abstain, unseen, drift)
    _tell_types(loaded)
    if out is None:
        for line in predict_file(loaded, table, sys.stdout, wanted):
            click.echo(line, err=True)
        return
    with atomically(out) as file:
        text = text_file(file)
        for line in predict_file(loaded, table, text, wanted):
            click.echo(line, err=True)
        text.detach()
    click.echo(f"Written: {out}", err=True)


def _tell_types(model) -> None:
    """The types of scikit-learn that skops made objects of, if any."""
    types = getattr(model.parts.predictor, "types", None)
    if types:
        click.echo(f"this model holds, by skops: {', '.join(types)}", err=True)


@main.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--to", "kind", type=click.Choice(["onnx", "json"]), required=True, help="The format."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False),
    help="The file. Default: next to MODEL, with the format as its ending.",
)  # fmt: skip
def export(model, kind, out):
    """Write MODEL in a format of other programs, and compare what it then predicts.

    Exit code 2: the model has a part that the format does not have; 3: the predictions differ.

    \b
    Example:
      ecoc-bench export try/iris/model.ecoc --to onnx
    """
    from ..models.export import FORMATS
    from ..models.file import load

    out = model.with_suffix(f".{kind}") if out is None else out
    found = FORMATS[kind](load(model), out)
    click.echo(
        f"{found.rows} rows compared: {found.different} other predictions, probabilities differ by "
        f"at most {found.largest:.1g}",
        err=True,
    )
    click.echo(out)
    sys.exit(0 if found.agrees else 3)
