"""The command line: parse, call one function, print, exit. Heavy imports wait until needed."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

import click

from .. import __version__
from ..errors import UserError

SOON = 0.05  # seconds


class Commands(click.Group):
    """Turns an error that a user can fix into one message on stderr and exit code 2.

    Ctrl-C and SIGTERM give exit code 130.
    """

    def invoke(self, ctx):
        heard: list[int] = []
        try:
            try:
                with _interruptible(heard):
                    return super().invoke(ctx)
            except Exception as error:
                if heard:  # compiled modules make another error of it while they are imported
                    raise KeyboardInterrupt from None
                _explain(ctx, error)
        except KeyboardInterrupt:
            _interrupted(ctx)


def _explain(ctx, error: Exception) -> None:
    if isinstance(error, UserError):
        click.echo(f"Error: {error}", err=True)
        ctx.exit(error.exit_code)
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        click.echo(f"Error: {error}. Check the path, its rights and the space left.", err=True)
        ctx.exit(UserError.exit_code)
    raise error  # click handles its own, and a reader of our output that has gone


def _interrupted(ctx) -> None:
    """Once is enough: from here on the process only ends, and hears no second Ctrl-C."""
    with contextlib.suppress(KeyboardInterrupt):  # the second may come in this very line
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    click.echo("interrupted; what a run has fitted is kept, start it again to continue.", err=True)
    ctx.exit(130)


@contextlib.contextmanager
def _interruptible(heard: list[int]) -> Iterator[None]:
    """Ctrl-C and SIGTERM, which batch systems send, interrupt; `heard` gets their numbers."""

    def interrupt(number, _):
        heard.append(number)
        raise KeyboardInterrupt

    def dropped(unraisable):
        """Python drops an interrupt that comes while a callback runs: it comes again."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            threading.Timer(SOON, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            hook(unraisable)

    hook, sys.unraisablehook = sys.unraisablehook, dropped
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:  # a shell's job in the background does not hear Ctrl-C
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ecoc-bench")
def main():
    """Multiclass learning by output codes: codes x learners x decoders.

    \b
    Examples:
      ecoc-bench try my.csv --target label    which method, how good, and a model
      ecoc-bench run uci_svm                  run a shipped config
      ecoc-bench run my.yaml --jobs 4         run your own
      ecoc-bench list codes                   list the codes
      ecoc-bench show code dense --classes 10

    Exit codes: 0 done, 1 some cells, candidates, tables or figures failed, 2 usage, config or
    data, 3 regression, 4 nothing measured or compared, 130 interrupted (finished work is kept).
    """


# Each adds its commands to `main`.
from . import data, judge, look, measure, models, run, try_command  # noqa: E402, F401
