// The odds of totte174/minesolve: ms_probabilities, with known mines taken off the board.
#include "../positions.hpp"
#include "position.hpp"

int main(int count, char **words) {
    return run_odds(count, words, [](const Text &text, std::vector<double> &odds) {
        if (text.width * text.height > MS_MAX_SQUARES) return -1.0;
        Position position;
        position.width = text.width;
        position.height = text.height;
        position.mines = text.mines;
        position.shown = text.shown;
        static MsBoard board;
        position.board(&board);
        if (bridge_frontier(&board) > FRONTIER) return -1.0;
        double before = cpu_microseconds();
        MsStatus status = ms_probabilities(&board, odds.data());
        double after = cpu_microseconds();
        return status == MS_OK ? after - before : -1.0;
    });
}
