// A deliberately simple Minesweeper bot for Botzone: an opponent, and a place to start from.
//
// It knows one rule. A number whose mines are all found makes the hidden cells around it safe; a number
// with as many hidden cells as mines left makes them all mines. Where that proves nothing it opens the
// first hidden cell that is not a proven mine. No randomness: the same input gives the same answer.
//
//   g++ -O2 -std=c++11 -o simple simple.cpp
//   ./simple < input.json             one input, one answer
//   ./simple --keep-running           a whole history first, then a request a line
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

// ---- JSON, as much of it as the judge writes ----

struct Json {
    double number = 0;
    std::vector<Json> items;                  // of a list
    std::vector<std::pair<std::string, Json>> members;  // of an object

    const Json *find(const std::string &key) const {
        for (const auto &member : members)
            if (member.first == key) return &member.second;
        return nullptr;
    }
    int integer(const std::string &key) const {
        const Json *value = find(key);
        return value ? static_cast<int>(value->number) : 0;
    }
};

class Reader {
public:
    explicit Reader(const std::string &text) : text(text) {}

    Json value() {
        Json json;
        char c = peek();
        if (c == '{' || c == '[') {
            const char end = c == '{' ? '}' : ']';
            ++at;
            while (peek() != end && peek() != '\0') {
                if (c == '{') {
                    std::string key = string();
                    if (peek() == ':') ++at;
                    json.members.emplace_back(key, value());
                } else {
                    json.items.push_back(value());
                }
                if (peek() == ',') ++at;
            }
            if (peek() == end) ++at;
        } else if (c == '"') {
            string();  // no text matters to this bot
        } else {
            std::string word;  // a number, null, true or false
            while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) ||
                                        text[at] == '-' || text[at] == '+' || text[at] == '.'))
                word += text[at++];
            if (word.empty() && at < text.size()) ++at;  // nothing known: go on behind it
            json.number = std::atof(word.c_str());
        }
        return json;
    }

private:
    // The next character that is no white space; '\0' at the end.
    char peek() {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
        return at < text.size() ? text[at] : '\0';
    }
    std::string string() {
        std::string word;
        if (peek() != '"') {
            ++at;
            return word;
        }
        for (++at; at < text.size() && text[at] != '"'; ++at) {
            if (text[at] == '\\') ++at;  // escapes do not occur in the keys that matter
            if (at < text.size()) word += text[at];
        }
        if (at < text.size()) ++at;
        return word;
    }

    const std::string &text;
    size_t at = 0;
};

// ---- the game ----

const int HIDDEN = -1, MINE = 9;  // MINE: what an opened mine shows
typedef std::pair<int, int> Cell;  // row, column

struct Field {
    int width = 0, height = 0;
    std::map<Cell, int> opened;

    int value(const Cell &cell) const {
        auto found = opened.find(cell);
        return found == opened.end() ? HIDDEN : found->second;
    }
    std::vector<Cell> around(const Cell &cell) const {
        std::vector<Cell> cells;
        for (int row = cell.first - 1; row <= cell.first + 1; ++row)
            for (int col = cell.second - 1; col <= cell.second + 1; ++col)
                if (row >= 0 && row < height && col >= 0 && col < width && Cell(row, col) != cell)
                    cells.emplace_back(row, col);
        return cells;
    }
    void take(const Json &request) {
        width = request.integer("width");
        height = request.integer("height");
        if (const Json *changed = request.find("changed"))
            for (const Json &cell : changed->items)
                opened[Cell(cell.integer("row"), cell.integer("col"))] = cell.integer("val");
    }

    Cell choose() const {
        std::map<Cell, bool> mines;
        for (const auto &open : opened)
            if (open.second == MINE) mines[open.first] = true;
        for (bool found = true; found;) {  // a new mine may complete another number
            found = false;
            for (const auto &open : opened) {
                if (open.second == MINE) continue;
                int known = 0;
                std::vector<Cell> hidden;
                for (const Cell &cell : around(open.first)) {
                    if (mines.count(cell)) ++known;
                    else if (value(cell) == HIDDEN) hidden.push_back(cell);
                }
                if (hidden.empty()) continue;
                if (open.second == known) return hidden[0];
                if (open.second == known + static_cast<int>(hidden.size())) {
                    for (const Cell &cell : hidden) mines[cell] = true;
                    found = true;
                }
            }
        }
        // Every hidden cell a "proven" mine: the numbers are wrong, or only mines are left.
        Cell first(-1, -1);
        for (int row = 0; row < height; ++row)
            for (int col = 0; col < width; ++col) {
                Cell cell(row, col);
                if (value(cell) != HIDDEN) continue;
                if (!mines.count(cell)) return cell;
                if (first.first < 0) first = cell;
            }
        return first;
    }
};

int main(int argc, char **argv) {
    const bool keep_running = argc > 1 && std::string(argv[1]) == "--keep-running";
    Field field;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const Json input = Reader(line).value();
        if (const Json *requests = input.find("requests")) {  // a whole history: begin again
            field = Field();
            for (const Json &request : requests->items) field.take(request);
        } else {  // the bare request of one more turn
            field.take(input);
        }
        const Cell cell = field.choose();
        std::cout << "{\"response\":{\"row\":" << cell.first << ",\"col\":" << cell.second << "}}" << std::endl;
        if (!keep_running) return 0;
        std::cout << ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<" << std::endl;
    }
}
