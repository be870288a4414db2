// The frame of a program that prints the odds of positions, as `judge results run` calls it:
// `odds FILE [--passes N]`. A position is a line of columns, rows and mines, and its rows (0-8, `.`
// hidden, `*` a known mine). A line is printed for each position and pass: its index, microseconds
// of CPU, and the odds of its hidden cells in row-major order; or the index and `-` if it could not
// be solved.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <time.h>
#include <vector>

struct Text {
    int width = 0, height = 0, mines = 0;
    std::vector<int> shown; // 0-8, 9 for a known mine, -1 for hidden
};

inline std::vector<Text> read_positions(const char *path) {
    std::ifstream in(path);
    std::vector<Text> out;
    Text text;
    while (in >> text.width >> text.height >> text.mines) {
        text.shown.clear();
        for (int y = 0; y < text.height; ++y) {
            std::string row;
            in >> row;
            for (int x = 0; x < text.width; ++x)
                text.shown.push_back(row.at(x) == '.' ? -1 : row[x] == '*' ? 9 : row[x] - '0');
        }
        out.push_back(text);
    }
    return out;
}

inline double cpu_microseconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

// `solve(text, odds)` fills the odds of all cells, and returns the microseconds that this took, or
// a negative number if it could not solve the position.
template <class Solve> int run_odds(int count, char **words, Solve solve) {
    int passes = 3;
    if (count == 4 && !strcmp(words[2], "--passes")) {
        passes = atoi(words[3]);
    } else if (count != 2) {
        fprintf(stderr, "usage: odds FILE [--passes N]\n");
        return 2;
    }
    auto positions = read_positions(words[1]);
    for (int pass = 0; pass < passes; ++pass)
        for (int k = 0; k < (int) positions.size(); ++k) {
            const Text &text = positions[k];
            std::vector<double> odds(text.shown.size(), 0.0);
            double time = solve(text, odds);
            if (time < 0) {
                printf("%d -", k);
            } else {
                printf("%d %.1f", k, time);
                for (size_t c = 0; c < odds.size(); ++c)
                    if (text.shown[c] < 0) printf(" %.17g", odds[c]);
            }
            printf("\n");
            fflush(stdout);
        }
    return 0;
}
