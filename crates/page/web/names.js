"use strict";
// The names of rules, objectives and efforts: those of Sapper's options and files.

const RULES = ["botzone", "safe-first", "open-first"];
const OBJECTIVES = ["fewest-hits", "clean-win"];
const EFFORTS = ["fast", "standard", "full"];
// What solves a board without guesses, the easiest first.
const PROOF_LEVELS = ["numbers", "groups", "counting"];

// The names that earlier versions of the page wrote into links and the browser's storage.
const FORMER_NAMES = new Map([
  ["opens-first", "open-first"],
  ["mines", "fewest-hits"],
  ["win", "clean-win"],
]);

// A name as it is spelt now. Every name from a link or from the storage passes here.
const currentName = (name) => FORMER_NAMES.get(name) ?? name;

// The choice of rules in Play as a part of a setting, and the way back.
const NO_GUESS = "no-guess-";
const ruleOfChoice = (choice) => choice.startsWith(NO_GUESS) ?
  { rule: "open-first", proof: choice.slice(NO_GUESS.length) } : { rule: choice };
const choiceOfRule = ({ rule, proof }) => (proof ? NO_GUESS + proof : rule);
