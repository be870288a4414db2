// The odds of DavidNHill/JSMinesweeper: its probability engine on all numbers, with the play style
// that makes it count to the end. odds.js SOURCES FILE [--passes N]
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const words = process.argv.slice(2);
const root = path.join(words[0], 'Minesweeper');
const files = ['Utility/PrimeSieve.js', 'Utility/Binomial.js', 'Utility/Compression.js',
    'client/Tile.js', 'client/Board.js', 'client/Brute_force.js',
    'client/solver_probability_engine.js', 'client/solver_main.js'];
const read = file => fs.readFileSync(path.join(root, file), 'utf8');
const text = files.map(file => read(file).replace(/^"use strict";/m, '')).join('\n');
const glue = `
var binomialCache = new BinomialCache(5000, 500, new Binomial(50000, 500));
globalThis.makeBoard = function (width, height, mines, shown) {
    const board = new Board(1, width, height, mines, 0, 'safe');
    board.setStarted();
    for (let i = 0; i < shown.length; i++) if (shown[i] >= 0) board.getTile(i).setValue(shown[i]);
    return board;
};
globalThis.odds = function (board) {
    const tiles = board.tiles.map((_, index) => board.getTile(index));
    const hidden = tiles.filter(tile => tile.isCovered());
    const hiddenNear = tile => board.getAdjacent(tile).filter(near => near.isCovered());
    const numbers = tiles.filter(tile => !tile.isCovered() && hiddenNear(tile).length > 0);
    // Each hidden tile beside a number once, in the order of the numbers.
    const frontier = [...new Set(numbers.flatMap(hiddenNear))];
    const pe = new ProbabilityEngine(board, numbers, frontier, hidden.length, board.num_bombs,
        { verbose: false, playStyle: PLAY_STYLE_EFFICIENCY });
    if (!pe.validWeb) return null;
    pe.process();
    return pe;
};
globalThis.minedProbability = (pe, tile) => 1 - pe.getProbability(tile);
`;
const log = console.log;
console.log = () => {};
vm.runInThisContext(text + glue, { filename: 'jsminesweeper.js' });
const passes = words[2] === '--passes' ? Number(words[3]) : 3;
const tokens = fs.readFileSync(words[1], 'utf8').split(/\s+/).filter(word => word);
const positions = [];
for (let i = 0; i < tokens.length;) {
    const [width, height, mines] = tokens.slice(i, i + 3).map(Number);
    const rows = tokens.slice(i + 3, i + 3 + height).join('');
    const shown = [...rows].map(c => c === '.' ? -1 : c === '*' ? 9 : Number(c));
    positions.push({ width, height, mines, shown });
    i += 3 + height;
}
for (let pass = 0; pass < passes; pass++)
    positions.forEach((p, k) => {
        if (p.shown.includes(9)) { log(`${k} -`); return; }
        const board = makeBoard(p.width, p.height, p.mines, p.shown);
        const before = process.hrtime.bigint();
        let pe = null;
        try { pe = odds(board); } catch (error) { console.error(error.message); }
        const after = process.hrtime.bigint();
        if (pe === null || pe.finalSolutionsCount === BigInt(0)) { log(`${k} -`); return; }
        const cells = [];
        for (let i = 0; i < p.shown.length; i++)
            if (p.shown[i] < 0) cells.push(minedProbability(pe, board.getTile(i)));
        log(`${k} ${Number(after - before) / 1000} ${cells.join(' ')}`);
    });
