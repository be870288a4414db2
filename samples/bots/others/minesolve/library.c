// minesolve's library in one unit, unchanged, and one function of ours beside it.
#include "board.c"
#include "equations.c"
#include "solutions.c"
#include "probability.c"
#include "solver.c"
#include "minesolve.c"
#include "bridge.h"

// minesolve cannot be told of a known mine. So the cell is taken off the board: it is no neighbour
// of any cell, has none itself, and counts as shown. The caller has reduced the numbers around it
// and the number of mines. ms_board_init lays the neighbours anew.
void bridge_remove(MsBoard *board, int32_t cell) {
    for (int32_t k = 0; k < s_adj_c[cell]; k++) {
        int32_t near = s_adj[cell][k], kept = 0;
        for (int32_t i = 0; i < s_adj_c[near]; i++)
            if (s_adj[near][i] != cell) s_adj[near][kept++] = s_adj[near][i];
        s_adj_c[near] = (int8_t) kept;
    }
    s_adj_c[cell] = 0;
    board->revealed[cell] = true;
    board->hint[cell] = 0;
}

// The hidden cells next to a shown one: minesolve writes past its arrays above 192 of them.
int32_t bridge_frontier(MsBoard *board) {
    int32_t count = 0;
    for (int32_t p = 0; p < board->w * board->h; p++) {
        if (board->revealed[p]) continue;
        for (int32_t k = 0; k < s_adj_c[p]; k++)
            if (board->revealed[s_adj[p][k]]) { count++; break; }
    }
    return count;
}

void bridge_basic(MsBoard *board, MsResult *result, double *odds) {
    *result = (MsResult){ .status = MS_OK, .move = -1, .p_loss = 1.0 };
    get_solver_result_basic(board, result, odds);
}
