"use strict";
// The controls of the viewer: the one table of what it can do, its buttons, and the slider.
//
// Invariant: every action has a key and a button, and the name of a button contains its words. An
// action is a method of the viewer's class of the same name; `can` of the viewer says whether it
// leads anywhere now.

// `key` is the event's key, `keyName` how the list of keys calls it. A button has the words or the
// sign of its action: those that lead through the turns have a drawn sign, which viewer.css draws.
const ACTIONS = [
  { name: "first", group: "Turn", sign: "", label: "First turn", key: "Home" },
  { name: "back", group: "Turn", sign: "", label: "Previous turn", key: "ArrowLeft",
    keyName: "Left arrow" },
  { name: "play", group: "Turn", sign: "Play", label: "Play or pause", key: " ",
    keyName: "Space bar" },
  { name: "next", group: "Turn", sign: "", label: "Next turn", key: "ArrowRight",
    keyName: "Right arrow" },
  { name: "last", group: "Turn", sign: "", label: "Last turn", key: "End" },
  { name: "previousMistake", group: "Mistake", sign: "Previous mistake",
    label: "Previous mistake", key: "E" },
  { name: "nextMistake", group: "Mistake", sign: "Next mistake", label: "Next mistake", key: "e" },
  { name: "backTen", group: "Ten turns", sign: "Ten turns back", label: "Ten turns back",
    key: "PageUp" },
  { name: "nextTen", group: "Ten turns", sign: "Ten turns on", label: "Ten turns on",
    key: "PageDown" },
  { name: "previousGuess", group: "Guess", sign: "Previous guess", label: "Previous guess",
    key: "G" },
  { name: "nextGuess", group: "Guess", sign: "Next guess", label: "Next guess", key: "g" },
  { name: "previousHit", group: "Mine", sign: "Previous mine", label: "Previous mine opened",
    key: "M" },
  { name: "nextHit", group: "Mine", sign: "Next mine", label: "Next mine opened", key: "m" },
  { name: "smaller", group: "Size", sign: "\u2212", label: "Smaller board", key: "-" },
  { name: "larger", group: "Size", sign: "+", label: "Larger board", key: "+" },
  { name: "fit", group: "Size", sign: "Fit", label: "Fit the board to the window", key: "0" },
  { name: "cellLeft", group: "Cell", sign: "\u2190", label: "Select the cell to the left",
    key: "Shift+ArrowLeft", keyName: "Shift+Left" },
  { name: "cellUp", group: "Cell", sign: "\u2191", label: "Select the cell above",
    key: "Shift+ArrowUp", keyName: "Shift+Up" },
  { name: "cellDown", group: "Cell", sign: "\u2193", label: "Select the cell below",
    key: "Shift+ArrowDown", keyName: "Shift+Down" },
  { name: "cellRight", group: "Cell", sign: "\u2192", label: "Select the cell to the right",
    key: "Shift+ArrowRight", keyName: "Shift+Right" },
  { name: "mines", group: "Show", sign: "Mines", label: "Show where the mines lie", key: "x" },
  { name: "save", group: "Show", sign: "Save SVG", label: "Save SVG of this turn", key: "s" },
];
// Main groups are always in view; the others are behind "More". Signs that do not speak for
// themselves have the name of their group beside them.
const MAIN_GROUPS = ["Turn", "Mistake"];
const NAMED_GROUPS = ["Size", "Cell"];

// How fast a game plays: milliseconds for a turn.
const SPEEDS = [
  { name: "slow", interval: 1500 },
  { name: "normal", interval: 600 },
  { name: "fast", interval: 200 },
];
const DEFAULT_SPEED = 1;

// The name of the key with Shift, for keys that have no other name with it.
function keyOf(event) {
  const isNamed = event.key.length > 1;
  return event.shiftKey && isNamed ? "Shift+" + event.key : event.key;
}

const keyNameOf = ({ key, keyName }) =>
  keyName ?? (key.length === 1 && key !== key.toLowerCase() ? "Shift+" + key.toLowerCase() : key);

class ViewerControls {
  // `act(action)` runs an action, `goTo(turn)` shows a turn; `setSpeed` is called with another one
  // of SPEEDS than `speed`.
  constructor(parent, { act, goTo, speed, setSpeed }) {
    this.buttons = new Map();
    this.bar = element("div", "viewer-bar", parent);
    this.bar.setAttribute("role", "toolbar");
    this.bar.setAttribute("aria-label", "Steps, jumps and view");
    const main = element("div", "viewer-main", this.bar);
    this.more = element("button", "viewer-more", main);
    this.more.type = "button";
    this.more.textContent = "More";
    this.extra = element("div", "viewer-extra", this.bar);
    const groups = new Map();
    for (const action of ACTIONS) {
      if (!groups.has(action.group)) {
        const isMain = MAIN_GROUPS.includes(action.group);
        groups.set(action.group, this.#addGroup(isMain ? main : this.extra, action.group));
        if (action.group === "Turn") this.#addSpeeds(main, speed, setSpeed);
      }
      this.#addButton(groups.get(action.group), action, act);
    }
    main.append(this.more);
    this.more.addEventListener("click", () => this.#open(!this.isOpen));
    this.#open(false);
    this.#addSlider(parent, goTo);
  }

  #addGroup(parent, name) {
    const group = element("div", "viewer-group", parent);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", name);
    if (NAMED_GROUPS.includes(name)) {
      const label = element("span", "viewer-group-name", group);
      label.setAttribute("aria-hidden", "true");
      label.textContent = name;
    }
    return group;
  }

  #addButton(group, action, act) {
    const button = element("button", "", group);
    button.type = "button";
    button.textContent = action.sign;
    if (action.sign === "") element("span", "viewer-sign", button);
    button.dataset.action = action.name;
    button.setAttribute("aria-label", action.label);
    button.title = action.label + " (" + keyNameOf(action) + ")";
    button.addEventListener("click", () => act(action));
    this.buttons.set(action.name, button);
  }

  #addSpeeds(parent, speed, setSpeed) {
    const label = element("label", "viewer-speed", parent);
    label.textContent = "Speed";
    const choice = element("select", "", label);
    for (const { name } of SPEEDS) element("option", "", choice).textContent = name;
    choice.value = speed.name;
    choice.addEventListener("change", () => setSpeed(SPEEDS[choice.selectedIndex]));
  }

  #open(isOpen) {
    this.isOpen = isOpen;
    this.bar.classList.toggle("open", isOpen);
    this.more.setAttribute("aria-expanded", String(isOpen));
  }

  #addSlider(parent, goTo) {
    const line = element("div", "viewer-line", parent);
    this.track = element("div", "viewer-track", line);
    this.slider = element("input", "viewer-slider", this.track);
    Object.assign(this.slider, { type: "range", min: 0, max: 0, value: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Turn");
    this.slider.addEventListener("input", () => goTo(Number(this.slider.value)));
    this.ticks = element("div", "viewer-ticks", this.track);
    this.ticks.setAttribute("aria-hidden", "true");
    this.counter = element("output", "viewer-turn", line);
  }

  // Marks turns on the slider: thin lines for guesses, bars for opened mines, and triangles below
  // them for mistakes.
  mark(lastTurn, { guesses, hits, mistakes }) {
    this.slider.max = lastTurn;
    const tick = (kind) => (turn) => {
      const made = element("span", kind);
      made.style.left = (100 * turn) / Math.max(1, lastTurn) + "%";
      return made;
    };
    this.ticks.replaceChildren(
      ...guesses.map(tick("guess")), ...hits.map(tick("hit")), ...mistakes.map(tick("mistake")),
    );
  }

  // Shows where the viewer is. `can` says of an action's name whether it leads anywhere.
  show({ turn, lastTurn, caption, isPlaying, minesShown, can }) {
    this.slider.value = turn;
    this.slider.setAttribute("aria-valuetext", spokenText(caption));
    this.counter.textContent = turn + " / " + lastTurn;
    for (const [name, button] of this.buttons) button.disabled = !can(name);
    const play = this.buttons.get("play");
    play.textContent = isPlaying ? "Pause" : "Play";
    play.setAttribute("aria-label", play.textContent);
    this.buttons.get("mines").setAttribute("aria-pressed", String(minesShown));
  }
}
