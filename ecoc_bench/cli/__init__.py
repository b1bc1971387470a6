"""The command line: parse, call one function, print, exit. Heavy imports wait until needed."""

import contextlib
import signal
from collections.abc import Iterator

import click

from .. import __version__
from ..errors import UserError


class Commands(click.Group):
    """Turns an error that a user can fix into one message on stderr and exit code 2.

    Ctrl-C and SIGTERM give exit code 130.
    """

    def invoke(self, ctx):
        try:
            with _stopped_by_sigterm():
                return super().invoke(ctx)
        except UserError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("interrupted; finished work is kept, run again to continue.", err=True)
            ctx.exit(130)
        except BrokenPipeError:  # the reader of our output has gone: click handles it
            raise
        except OSError as error:
            click.echo(f"Error: {error}. Check the path, its rights and the space left.", err=True)
            ctx.exit(UserError.exit_code)


@contextlib.contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    """SIGTERM, which batch systems send, has the effect of Ctrl-C."""

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ecoc-bench")
def main():
    """Multiclass learning by output codes: codes x learners x decoders.

    \b
    Examples:
      ecoc-bench run uci_svm                  run a shipped config
      ecoc-bench run my.yaml --jobs 4         run your own
      ecoc-bench list codes                   list the codes
      ecoc-bench show code dense --classes 10

    Exit codes: 0 done, 1 some cells, tables or figures failed, 2 usage or config, 3 regression, 4
    nothing measured or compared, 130 interrupted (finished work is kept).
    """


from . import data, judge, look, measure, run  # noqa: E402, F401  (each adds its commands to `main`)
