"""Commands for data sets that are not shipped with the package: data fetch, data status."""

import click

from . import main


@main.group()
def data():
    """Fetch the data sets that are not shipped with the package, and see which are here."""


@data.command("fetch")
@click.argument("names", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Download again even if the data set is here.")
def data_fetch(names, force):
    """Download, check and convert data sets NAMES into the cache.

    \b
    Example:
      ecoc-bench data fetch thyroid dermatology
    """
    from ..data.fetch import fetch

    for name in names:
        path = fetch(name, force=force, progress=lambda line: click.echo(line, err=True))
        click.echo(path)


@data.command("status")
def data_status():
    """Say of every data set whether it is here, and where.

    \b
    Example:
      ecoc-bench data status
    """
    from ..data.fetch import status

    for item in status():
        click.echo(f"{item.name:16}{item.state:20}{item.where}")
