// b1f6c1c4/MineSweeperProb as a Botzone bot that keeps running: bot [--strategy PSEQ] [--seed N].
// The strategy is that of its configuration strings, such as PSEQ or PSEQ-D256.
#include "../botzone.hpp"
#include "GameMgr.h"
#include "BinomialHelper.h"
#include "facade.hpp"
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

struct Bot {
    std::string strategy = "PSEQ";
    unsigned long seed = 1;
    // Which of equally good guesses: one at random, as in its own games, or the first.
    std::string ties = "random";
    std::unique_ptr<GameMgr> game;
    std::mt19937_64 random;
    std::vector<char> shown;
    int width = 0, height = 0, cached_cells = 0, cached_mines = 0;
    long fallbacks = 0;

    bool start(int w, int h, int mines) {
        width = w;
        height = h;
        // Its table of binomials does not grow well: it is made once, large enough for the rest.
        if (w * h > cached_cells || mines > cached_mines) {
            if (cached_cells) {
                fprintf(stderr, "start another process for a larger field\n");
                return false;
            }
            cached_cells = std::max(w * h, 1024);
            cached_mines = std::max(mines, 512);
            CacheBinomials(cached_cells, cached_mines);
        }
        auto text = "FL@[1,1]-" + strategy + "-" + std::to_string(w) + "-" + std::to_string(h) +
                    "-T" + std::to_string(mines) + "-SFAR";
        Configuration configuration = parse(text.c_str());
        game = std::make_unique<GameMgr>(w, h, mines, static_cast<Strategy &>(configuration));
        shown.assign(w * h, 0);
        return true;
    }

    // As GameMgr::OpenBlockImpl: a cell that was proven safe no longer waits to be opened.
    void show(int row, int col, int val) {
        if (row >= height || col >= width || shown[row * width + col]) return;
        shown[row * width + col] = 1;
        if (val == 9) {
            game->SetBlockMine(col, row, true);
        } else {
            if (game->GetInferredStatus(col, row) == BlockStatus::Blank)
                --game->GetSolver().CanOpenForSure;
            game->GetSolver().AddRestrain(col * height + row, false);
            game->SetBlockDegree(col, row, val);
        }
    }

    // A hidden cell that is proven safe, first by column as in SemiAutomaticStep, or -1.
    int proven() const {
        for (int x = 0; x < width; ++x)
            for (int y = 0; y < height; ++y)
                if (!shown[y * width + x] && game->GetInferredStatus(x, y) == BlockStatus::Blank)
                    return y * width + x;
        return -1;
    }

    // As GameMgr::Automatic: what is proven, by all logic, then the guess of the strategy.
    int answer() {
        if (std::find(shown.begin(), shown.end(), 1) == shown.end()) return 0;
        try {
            auto logic = SolvingState::Reduce | SolvingState::Overlap | SolvingState::Probability;
            int cell = proven();
            if (cell >= 0) return cell;
            auto &solver = game->GetSolver();
            solver.CanOpenForSure = 0;
            solver.Solve(logic, true);
            if ((cell = proven()) >= 0) return cell;
            game->Solve(logic | SolvingState::Heuristic | SolvingState::Drained, true);
            if ((cell = proven()) >= 0) return cell;
            auto &best = game->GetPreferredBlockList();
            if (!best.empty()) {
                std::uniform_int_distribution<int> any(0, (int) best.size() - 1);
                int block = best.size() == 1 ? best[0] : best[any(random)];
                if (ties == "first") block = best[0];
                cell = block % height * width + block / height;
                if (!shown[cell]) return cell;
            }
        } catch (const std::exception &error) {
            fprintf(stderr, "%s\n", error.what());
        }
        ++fallbacks;
        for (size_t cell = 0; cell < shown.size(); ++cell)
            if (!shown[cell]) return (int) cell;
        return 0;
    }
};

int main(int count, char **words) {
    Bot bot;
    bool understood = count % 2 == 1;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(words[i], "--strategy")) bot.strategy = words[i + 1];
        else if (!strcmp(words[i], "--seed")) bot.seed = strtoul(words[i + 1], nullptr, 10);
        else if (!strcmp(words[i], "--ties")) bot.ties = words[i + 1];
        else understood = false;
    }
    if (!understood) {
        fprintf(stderr, "usage: bot [--strategy PSEQ] [--seed N] [--ties random|first]\n");
        return 2;
    }
    bot.random.seed(bot.seed);
    int code = play(bot);
    if (bot.fallbacks) fprintf(stderr, "%ld answers without the solver\n", bot.fallbacks);
    return code;
}
