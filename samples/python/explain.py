#!/usr/bin/env python3
"""Prints the odds, the move and its reasons for a position, by `judge explain - --json`.

    python3 samples/python/explain.py samples/fields/forced-guess.txt
    python3 samples/python/explain.py samples/requests/hit-mine.json target/release/judge

The second argument is the program of the judge; without it, `judge` is searched on the path, where
`cargo install --path crates/judge` puts it.

crates/judge/REFERENCE.md has all keys of the object.
"""
import json
import subprocess
import sys


def explain(position, judge="judge"):
    """The analysis of a position that is a text: a field, a request, or a recorded game."""
    command = [judge, "explain", "-", "--json"]
    run = subprocess.run(command, input=position, capture_output=True, text=True)
    if run.returncode != 0:
        raise ValueError(run.stderr.strip())
    analysis = json.loads(run.stdout)
    if analysis["version"] != 1:
        raise ValueError(f"version {analysis['version']} is unknown; see the judge's README")
    return analysis


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: explain.py FILE [JUDGE]")
    with open(sys.argv[1], encoding="utf-8") as file:
        analysis = explain(file.read(), *sys.argv[2:])
    for row in analysis["odds"]:  # a row of the field; None for an open cell
        print(" ".join("   -" if odds is None else f"{odds:.2f}" for odds in row))
    if move := analysis["move"]:  # None if every cell is open
        row, column = move["cell"]
        print(f"open ({row},{column}), found by {move['step']}:", *move["why"], sep="\n  ")
