"""The command that answers for a table: try."""

import sys
import time
from pathlib import Path

import click

from . import main


@main.command("try")
@click.argument("table", metavar="TABLE", type=click.Path(path_type=Path))
@click.option("--target", required=True, metavar="COLUMN", help="The column of the labels.")
@click.option(
    "--time",
    "duration",
    default="5m",
    show_default=True,
    metavar="TIME",
    help="Wall time for everything, reading and the page included: 60s, 5m, 1h.",
)
@click.option(
    "--metric",
    default="error",
    show_default=True,
    type=click.Choice(["error", "balanced_accuracy", "macro_f1", "log_loss"]),
    help="What candidates are ranked by.",
)
@click.option(
    "--pick",
    default="simple",
    show_default=True,
    type=click.Choice(["simple", "best", "fast", "small"]),
    help="Which to keep of those that cannot be told from the best.",
)
@click.option("--group", metavar="COLUMN", help="Rows of one group are never divided by a fold.")
@click.option(
    "--test",
    type=click.Path(path_type=Path),
    metavar="TABLE",
    help="Test on these rows instead of folds.",
)
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out. Repeatable.")
@click.option("--only", multiple=True, metavar="NAME", help="Only these candidates. Repeatable.")
@click.option("--add", metavar="CONFIG", help="The learners, codes and methods of a config, too.")
@click.option(
    "--nested",
    is_flag=True,
    help="Prove the number by nested folds: the whole trial again in each training part.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 4096),
    help="Processes for fits. Default: all cores.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of the files. Default: try/<TABLE>.",
)
@click.option("--dry-run", is_flag=True, help="Look at the table, print the plan, fit nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--report/--no-report",
    default=True,
    envvar="ECOC_BENCH_REPORT",
    show_default=True,
    help="Also write report.html.",
)
def try_(table, **options):
    """Which method suits TABLE, how good will it be on new rows, and a model to keep.

    TABLE is a CSV or a Parquet file, by its suffix.

    Candidates, from the shares of the classes to output codes over boosted trees, are compared on
    held-out rows within --time. The number of the pick counts that it was picked. Files: the
    leaderboard, held-out predictions, model.ecoc, MODEL_CARD.md, try.yaml and report.html.

    \b
    Examples:
      ecoc-bench try my.csv --target label
      ecoc-bench try my.csv --target label --time 60s --metric balanced_accuracy
      ecoc-bench try visits.csv --target outcome --group patient --pick best
      ecoc-bench try train.csv --target label --test test.csv --dry-run

    Exit codes: 0 done, 1 a candidate or the page failed (the model is there), 2 usage or data, 130
    interrupted.
    """
    began = time.monotonic()  # loading counts, too
    from .try_csv import Asked, try_csv

    sys.exit(try_csv(table, Asked(**options), began))
