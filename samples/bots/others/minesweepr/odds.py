"""The odds of mrgriscom/minesweepr: its `solve` on the rules of a board.

odds.py FILE [--passes N], with the folder of its sources in PYTHONPATH."""
import sys, time
import minesweeper as mnsw
import minesweeper_util as util

words = sys.argv[1:]
passes = int(words[words.index('--passes') + 1]) if '--passes' in words else 3
tokens, positions, i = open(words[0]).read().split(), [], 0
while i < len(tokens):
    width, height, mines = map(int, tokens[i:i + 3])
    positions.append((width, height, mines, tokens[i + 3:i + 3 + height]))
    i += 3 + height
for _ in range(passes):
    for k, (width, height, mines, rows) in enumerate(positions):
        # Its `.` is a zero and its `x` a hidden cell.
        encoded = '\n'.join(row.replace('.', 'x') for row in rows)
        rules, count = util.read_board(encoded, mines)
        before = time.process_time_ns()
        try:
            odds = mnsw.solve(rules, count, '_other')
        except mnsw.InconsistencyError:
            print(k, '-', flush=True)
            continue
        time_us = (time.process_time_ns() - before) / 1000
        digits = len(str(height)), len(str(width))
        name = lambda r, c: '%0*d-%0*d' % (digits[0], r + 1, digits[1], c + 1)
        cells = [odds.get(name(r, c), odds.get('_other'))
                 for r in range(height) for c in range(width) if rows[r][c] == '.']
        print(k, time_us, *map(repr, map(float, cells)), flush=True)
