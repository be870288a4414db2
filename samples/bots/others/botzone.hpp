// Botzone's Minesweeper protocol, kept running, for adapters of other people's solvers.
// A line is a history ({"requests": [...]}), which starts a new game, or a bare request, which is
// the next turn of the same game. Invariant: `Game` holds every cell that was shown, once.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct Shown { int row, col, val; };

struct Request {
    int width = -1, height = -1, mines = -1;
    bool history = false;
    std::vector<Shown> cells;
};

// Reads what matters of a line: sizes, and every object with row, col and val, which answers lack.
inline Request read_request(const std::string &line) {
    Request out;
    std::vector<Shown> open;
    for (size_t i = 0; i < line.size(); ++i) {
        char c = line[i];
        if (c == '{') {
            open.push_back({-1, -1, -1});
        } else if (c == '}') {
            if (open.empty()) continue;
            Shown cell = open.back();
            open.pop_back();
            if (cell.row >= 0 && cell.col >= 0 && cell.val >= 0) out.cells.push_back(cell);
        } else if (c == '"') {
            size_t end = i + 1;
            while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
            if (end >= line.size()) break;
            std::string key = line.substr(i + 1, end - i - 1);
            i = end;
            size_t p = end + 1;
            while (p < line.size() && (line[p] == ' ' || line[p] == '\t')) ++p;
            if (p >= line.size() || line[p] != ':') continue;
            ++p;
            while (p < line.size() && (line[p] == ' ' || line[p] == '\t' || line[p] == '"')) ++p;
            if (key == "requests") out.history = true;
            if (p >= line.size() || !(line[p] >= '0' && line[p] <= '9')) continue;
            int value = atoi(line.c_str() + p);
            if (key == "width") out.width = value;
            else if (key == "height") out.height = value;
            else if (key == "minecount") out.mines = value;
            else if (open.empty()) continue;
            else if (key == "row") open.back().row = value;
            else if (key == "col") open.back().col = value;
            else if (key == "val") open.back().val = value;
        }
    }
    return out;
}

// Plays until the input ends. `Bot` has start(width, height, mines), show(row, col, val), and
// answer(), which returns row * width + col.
template <class Bot> int play(Bot &bot) {
    std::string line;
    bool started = false;
    int width = 0;
    while (std::getline(std::cin, line)) {
        if (line.find('{') == std::string::npos) continue;
        Request request = read_request(line);
        if (request.history || !started) {
            if (request.width < 1 || request.height < 1 || request.mines < 0) {
                fprintf(stderr, "a request without width, height and minecount\n");
                return 2;
            }
            if (!bot.start(request.width, request.height, request.mines)) return 2;
            width = request.width;
            started = true;
        }
        for (const Shown &cell : request.cells) bot.show(cell.row, cell.col, cell.val);
        int cell = bot.answer();
        printf("{\"response\":{\"row\":%d,\"col\":%d}}\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n",
               cell / width, cell % width);
        fflush(stdout);
    }
    return 0;
}
