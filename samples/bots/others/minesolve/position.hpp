// A position for minesolve: numbers as shown, known mines taken off the board.
#pragma once
#include "bridge.h"
#include <vector>

const int FRONTIER = 192; // MAX_FRONTIER_SIZE of minesolve

struct Position {
    int width = 0, height = 0, mines = 0;
    std::vector<int> shown; // 0-8, 9 for a known mine, -1 for hidden

    void board(MsBoard *out) const {
        int known = 0, open = 0;
        for (int value : shown) { known += value == 9; open += value >= 0; }
        ms_board_init(out, width, height, mines - known, false);
        for (int cell = 0; cell < width * height; ++cell) {
            if (shown[cell] < 0 || shown[cell] == 9) continue;
            out->revealed[cell] = true;
            out->hint[cell] = shown[cell];
        }
        for (int cell = 0; cell < width * height; ++cell) {
            if (shown[cell] != 9) continue;
            for (int y = cell / width - 1; y <= cell / width + 1; ++y)
                for (int x = cell % width - 1; x <= cell % width + 1; ++x)
                    if (y >= 0 && y < height && x >= 0 && x < width) {
                        int near = y * width + x;
                        if (shown[near] >= 0 && shown[near] <= 8) out->hint[near] -= 1;
                    }
            bridge_remove(out, cell);
        }
        out->unrevealed_c = width * height - open;
    }
};
