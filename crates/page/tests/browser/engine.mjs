// The page's worker in node: its script runs as it is, with the messages of a browser's worker.

import { readFile } from "node:fs/promises";

const root = new URL("../../../../", import.meta.url);
const read = (path) => readFile(new URL(path, root));

const MODULE = "target/wasm32-unknown-unknown/page/page.wasm";

/** Starts the worker; resolves once it is warm. */
export async function startEngine() {
  const module = await WebAssembly.compile(await read(MODULE));
  const script = (await read("crates/page/web/worker.js")).toString();
  const warmUp = (await read("crates/page/web/warm-up.js")).toString();
  const warm = new Function(`${warmUp}; return WARM_UP;`)();
  const waiting = new Map();
  let warmed;
  const isWarm = new Promise((resolve) => (warmed = resolve));
  const self = {
    postMessage(message) {
      if (message.warmed) warmed();
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    },
  };
  new Function("self", script)(self);
  let lastId = 0;
  const post = (request) => {
    const id = ++lastId;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    self.onmessage({ data: { id, request } });
    return answered;
  };
  self.onmessage({ data: { module, warm: warm.map((request) => JSON.stringify(request)) } });
  await isWarm;
  return {
    /** The message with the answer to a request as text. */
    post,
    /** The answer to a request; throws where the engine trapped. */
    async call(request) {
      const { answer, failed } = await post(JSON.stringify(request));
      if (failed !== undefined) throw new Error(failed);
      return JSON.parse(answer);
    },
  };
}

const LEVELS = [
  { rule: "open-first", width: 30, height: 16, minecount: 99 },
  { rule: "botzone", width: 30, height: 20, minecount: 80 },
  { rule: "safe-first", width: 16, height: 16, minecount: 40 },
  { rule: "botzone", width: 9, height: 9, minecount: 20 },
  { rule: "open-first", width: 24, height: 24, minecount: 160 },
];

/**
 * Positions of games that the engine plays at fast effort: `count` guesses and endgames, and what
 * these games have of positions that only counting decides, and (every tenth) that deduction does.
 */
export async function positions(engine, count) {
  const found = { guesses: [], counted: [], deduced: [] };
  for (let seed = 1; found.guesses.length < count; seed++) {
    const level = LEVELS[seed % LEVELS.length];
    const objective = level.rule === "botzone" ? "fewest-hits" : "clean-win";
    const game = { do: "open", ...level, seed, clicks: [] };
    let shown = await engine.call(game);
    while (!shown.over) {
      const { field } = shown;
      const { move } = await engine.call({ do: "decide", field, effort: "fast", objective });
      const position = { field, objective };
      if (move.step === "counting") found.counted.push(position);
      else if (move.step !== "deduction") found.guesses.push(position);
      else if (game.clicks.length % 10 === 3) found.deduced.push(position);
      game.clicks.push(move.cell);
      shown = await engine.call(game);
    }
  }
  return { ...found, guesses: found.guesses.slice(0, count) };
}
