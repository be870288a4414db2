// totte174/minesolve as a Botzone bot that keeps running: bot [--plies N].
#include "../botzone.hpp"
#include "position.hpp"
#include <cstring>
#include <deque>

struct Bot {
    int plies = 1;
    Position position;
    std::deque<int> safe;
    long fallbacks = 0;

    bool start(int width, int height, int mines) {
        if (width * height > MS_MAX_SQUARES) {
            fprintf(stderr, "minesolve plays fields of at most %d cells, not %dx%d\n",
                    MS_MAX_SQUARES, width, height);
            return false;
        }
        position.width = width;
        position.height = height;
        position.mines = mines;
        position.shown.assign(width * height, -1);
        safe.clear();
        return true;
    }

    void show(int row, int col, int val) {
        if (row < position.height && col < position.width && val <= 9)
            position.shown[row * position.width + col] = val;
    }

    int answer() {
        // All cells of probability 0 are opened before the next search, as in its own simulation.
        while (!safe.empty()) {
            int cell = safe.front();
            safe.pop_front();
            if (position.shown[cell] < 0) return cell;
        }
        static MsBoard board;
        static double odds[MS_MAX_SQUARES];
        MsResult result = { MS_ERR_UNKNOWN, -1, 1.0 };
        position.board(&board);
        int frontier = bridge_frontier(&board);
        // A search opens a cell for each ply but the last, and each may add eight frontier cells.
        int depth = plies;
        while (depth > 1 && frontier + 8 * (depth - 1) > FRONTIER - 1) --depth;
        if (frontier + 8 * (depth - 1) <= FRONTIER) {
            for (; depth >= 1; --depth) {
                position.board(&board);
                ms_solve(&board, depth, &result, odds);
                bool found = result.status == MS_OK || result.status == MS_OK_FALLBACK;
                if (found && legal(result.move)) break;
            }
            if (depth < 1) {
                // What minesolve itself does beyond its limit of layouts: deduction only.
                position.board(&board);
                bridge_basic(&board, &result, odds);
            }
            if (depth != plies || result.status != MS_OK) ++fallbacks;
        }
        if (!legal(result.move)) {
            ++fallbacks;
            for (size_t cell = 0; cell < position.shown.size(); ++cell)
                if (position.shown[cell] < 0) return (int) cell;
            return 0;
        }
        if (odds[result.move] == 0.0)
            for (int cell = 0; cell < position.width * position.height; ++cell)
                if (position.shown[cell] < 0 && odds[cell] == 0.0 && cell != result.move)
                    safe.push_back(cell);
        return result.move;
    }

    bool legal(int cell) const {
        return cell >= 0 && cell < (int) position.shown.size() && position.shown[cell] < 0;
    }
};

int main(int count, char **words) {
    Bot bot;
    if (count == 3 && !strcmp(words[1], "--plies")) bot.plies = atoi(words[2]);
    else if (count != 1) bot.plies = 0;
    if (bot.plies < 1 || bot.plies > MS_MAX_DEPTH) {
        fprintf(stderr, "usage: bot [--plies 1..%d]\n", MS_MAX_DEPTH);
        return 2;
    }
    int code = play(bot);
    if (bot.fallbacks) fprintf(stderr, "%ld answers without the full search\n", bot.fallbacks);
    return code;
}
