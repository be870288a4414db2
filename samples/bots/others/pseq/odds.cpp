// The odds of b1f6c1c4/MineSweeperProb: Solver with all numbers, reduced and solved.
#include "../positions.hpp"
#include "BinomialHelper.h"
#include "Solver.h"

int main(int count, char **words) {
    CacheBinomials(1024, 512);
    return run_odds(count, words, [](const Text &text, std::vector<double> &odds) {
        int width = text.width, height = text.height;
        std::vector<std::vector<int>> near(width * height);
        for (int cell = 0; cell < width * height; ++cell)
            for (int y = cell / width - 1; y <= cell / width + 1; ++y)
                for (int x = cell % width - 1; x <= cell % width + 1; ++x)
                    if (y >= 0 && y < height && x >= 0 && x < width && y * width + x != cell)
                        near[cell].push_back(y * width + x);
        double before = cpu_microseconds();
        try {
            Solver solver(width * height, text.mines);
            for (int cell = 0; cell < width * height; ++cell)
                if (text.shown[cell] >= 0) solver.AddRestrain(cell, text.shown[cell] == 9);
            for (int cell = 0; cell < width * height; ++cell)
                if (text.shown[cell] >= 0 && text.shown[cell] < 9)
                    solver.AddRestrain(near[cell], text.shown[cell]);
            auto all = SolvingState::Reduce | SolvingState::Overlap | SolvingState::Probability;
            solver.Solve(all, false);
            double after = cpu_microseconds();
            if (!(solver.GetTotalStates() > 0)) return -1.0;
            for (int cell = 0; cell < width * height; ++cell)
                odds[cell] = solver.GetProbability(cell);
            return after - before;
        } catch (const std::exception &error) {
            fprintf(stderr, "%s\n", error.what());
            return -1.0;
        }
    });
}
