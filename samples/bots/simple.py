#!/usr/bin/env python3
"""A deliberately simple Minesweeper bot for Botzone: an opponent, and a place to start from.

It knows one rule. A number whose mines are all found makes the hidden cells around it safe; a number
with as many hidden cells as mines left makes them all mines. Where that proves nothing it opens the
first hidden cell that is not a proven mine. No randomness: the same input gives the same answer.

    python3 simple.py < input.json              one input, one answer
    python3 simple.py --keep-running            a whole history first, then a request a line
"""
import json
import sys

MINE = 9  # what an opened mine shows
MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def around(cell, width, height):
    row, col = cell
    for r in range(max(row - 1, 0), min(row + 2, height)):
        for c in range(max(col - 1, 0), min(col + 2, width)):
            if (r, c) != cell:
                yield r, c


def choose(opened, width, height):
    """The cell to open; `opened` has the value of every open cell by (row, col)."""
    mines = {cell for cell, value in opened.items() if value == MINE}
    found = True
    while found:  # a new mine may complete another number
        found = False
        for cell, value in sorted(opened.items()):
            if value == MINE:
                continue
            near = list(around(cell, width, height))
            known = [n for n in near if n in mines]
            hidden = [n for n in near if n not in opened and n not in mines]
            if not hidden:
                continue
            if value == len(known):
                return hidden[0]
            if value == len(known) + len(hidden):
                mines.update(hidden)
                found = True
    hidden = [(r, c) for r in range(height) for c in range(width) if (r, c) not in opened]
    # Every hidden cell a "proven" mine: the numbers are wrong, or only mines are left.
    return next((cell for cell in hidden if cell not in mines), hidden[0])


def main():
    keep_running = "--keep-running" in sys.argv[1:]
    opened = {}
    for line in sys.stdin:
        if not line.strip():
            continue
        value = json.loads(line)
        if "requests" in value:  # a whole history: begin again
            opened, requests = {}, value["requests"]
        else:  # the bare request of one more turn
            requests = [value]
        for request in requests:
            for cell in request.get("changed") or []:
                opened[cell["row"], cell["col"]] = cell["val"]
        row, col = choose(opened, requests[-1]["width"], requests[-1]["height"])
        print(json.dumps({"response": {"row": row, "col": col}}), flush=True)
        if not keep_running:
            return
        print(MARKER, flush=True)


main()
