// The player of a fought battle. The server sends the table before the battle and, per step, the
// pieces that changed; only those are touched here. Pieces are plain objects that never change: a
// step replaces them, so stepping back puts the old ones in their place again.

import { Field, words } from "./pieces.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const LINE_MS = 1400;
const QUIET_MS = 350; // a hex of a move, a point let go: nothing to read
const BEFORE = "Before the battle.";
const BUSY = 6; // a step that changes more pieces than that is bookkeeping: none is pointed at

// --- the film: which pieces there are before and after each step ------------------------------

class Film {
  constructor(data) {
    this.pieces = new Map();
    this.at = 0;
    this.frames = data.frames;
    this.length = data.frames.length;
    for (const [id, facts] of data.first) this.pieces.set(id, facts);
    const running = new Map(this.pieces);
    this.lines = [0]; // the step of each line, by its number
    let said = BEFORE;
    for (const frame of data.frames) {
      frame.changes = [];
      const change = (id, after) => {
        frame.changes.push([id, running.get(id), after]);
        if (after) running.set(id, after);
        else running.delete(id);
      };
      for (const id of frame.gone ?? []) change(id, undefined);
      for (const [id, facts] of frame.put ?? []) change(id, { ...running.get(id), ...facts });
      const acting = frame.changes.filter(([, , after]) => after?.symbol).map(([id]) => id);
      frame.acting = acting.length <= BUSY ? acting : [];
      frame.hex = frame.fire?.[0][1] ?? running.get(frame.acting[0])?.hex;
      this.at += 1;
      if (frame.text !== undefined) this.lines.push(this.at);
      frame.line = this.lines.length - 1;
      said = frame.text ?? said;
      frame.said = said;
    }
    this.at = 0;
  }

  // Where the pieces are that stand on the table now, or will first.
  peopled() {
    const now = [...this.pieces.values()].filter((piece) => piece.symbol);
    const first = this.frames.find((frame) => frame.changes.some(([, , after]) => after?.symbol));
    const coming = first?.changes.map(([, , after]) => after).filter((piece) => piece?.symbol) ?? [];
    return (now.length ? now : coming).map((piece) => piece.hex);
  }

  // Bring the table to a step; the numbers of the pieces that changed on the way.
  go(step) {
    const touched = new Set();
    const set = (id, piece) => {
      if (piece) this.pieces.set(id, piece);
      else this.pieces.delete(id);
      touched.add(id);
    };
    for (; this.at < step; this.at += 1)
      for (const [id, , after] of this.frames[this.at].changes) set(id, after);
    for (; this.at > step; this.at -= 1)
      for (const [id, before] of this.frames[this.at - 1].changes) set(id, before);
    return touched;
  }
}

// --- the player ---------------------------------------------------------------------------------

class Player {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.film = new Film(data);
    this.speed = 1;
    this.timer = 0;
    this.find = (selector) => root.querySelector(selector);
    const svg = this.find("svg.map");
    this.field = svg ? new Field(svg, data, root.dataset.atlas) : null;
    this.log = this.find("ol.log");
    this.items = [...this.log.children];
    this.slider = this.find("input[type=range]");
    this.slider.max = this.film.length;
    this.line = this.find("[data-line]");
    this.dice = this.find("[data-dice]");
    this.step = this.find("[data-step]");
    this.table = this.find("[data-table]");
    this.playButton = this.find("[data-do=play]");
    for (const item of this.items) item.querySelector("a").tabIndex = -1;
    for (const part of root.querySelectorAll(".player, [data-signs], [data-table]")) part.hidden = false;
    root.classList.add("live");
    this.field?.measure();
    this.field?.show(this.film, new Set(this.film.pieces.keys()), null);
    this.field?.centre(this.film.peopled());
    this.listen();
    this.atAddress();
    root.dispatchEvent(new CustomEvent("replay:live"));
  }

  listen() {
    const acts = {
      first: () => this.jump(0),
      back: () => this.jump(this.film.at - 1),
      play: () => (this.timer ? this.pause() : this.play()),
      on: () => this.jump(this.film.at + 1),
      last: () => this.jump(this.film.length),
      slower: () => this.pace(-1),
      faster: () => this.pace(1),
      whole: () => this.whole(),
    };
    this.root.addEventListener("click", (event) => {
      const act = event.target.closest("[data-do]")?.dataset.do;
      if (act) acts[act]();
      const item = event.target.closest("ol.log > li");
      if (!item || event.target.closest(".cites")) return;
      event.preventDefault();
      this.jump(this.film.lines[this.items.indexOf(item) + 1]);
    });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.table.addEventListener("toggle", () => listed(this.table, this.film.pieces.values(), this.data.sides));
    window.addEventListener("hashchange", () => this.atAddress());
    const keys = {
      " ": acts.play, ArrowLeft: acts.back, ArrowRight: acts.on, Home: acts.first, End: acts.last,
      m: acts.whole, "+": acts.faster, "=": acts.faster, "-": acts.slower, _: acts.slower,
    };
    document.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (document.querySelector("dialog[open]") || target.closest?.("select, textarea")) return;
      // What has the focus keeps its own keys: buttons their space, the map its scrolling.
      if (event.key === " " && target.closest?.("button, a, summary, [role=button]")) return;
      if (event.key.length > 1 && target.closest?.("input, .scroll")) return;
      event.preventDefault();
      act();
    });
  }

  // The map as wide as its window, or close up again.
  whole() {
    const on = this.root.classList.toggle("whole");
    this.find("[data-do=whole]").setAttribute("aria-pressed", String(on));
    this.field?.measure();
    this.field?.centre(this.film.peopled());
  }

  atAddress() {
    const number = Number(/^#line-(\d+)$/.exec(location.hash)?.[1] ?? 0);
    this.jump(this.film.lines[number] ?? this.film.at);
  }

  play() {
    if (this.film.at === this.film.length) this.go(0);
    this.line.setAttribute("aria-live", "off");
    this.playButton.textContent = "Pause";
    this.tick();
  }

  tick() {
    const next = this.film.frames[this.film.at];
    if (next) this.go(this.film.at + 1);
    else this.pause();
    const quiet = next?.text === undefined || next.idle;
    const pause = quiet ? QUIET_MS : LINE_MS;
    if (next) this.timer = window.setTimeout(() => this.tick(), pause / this.speed);
  }

  pause() {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.line.setAttribute("aria-live", "polite");
    this.playButton.textContent = "Play";
    this.keep();
  }

  pace(change) {
    const at = SPEEDS.indexOf(this.speed) + change;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
    this.find("[data-speed]").textContent = `${this.speed}×`;
  }

  jump(step) {
    if (this.timer) this.pause();
    this.go(Math.max(0, Math.min(this.film.length, step)));
    this.keep();
  }

  // The address says which line is shown, once the reader rests.
  keep() {
    window.clearTimeout(this.keeper);
    this.keeper = window.setTimeout(() => {
      const line = this.film.frames[this.film.at - 1]?.line;
      history.replaceState(null, "", line ? `#line-${line}` : location.pathname + location.search);
    }, 500);
  }

  // All measuring before all writing, so that a step lays the page out once.
  go(step) {
    const { film, field, log } = this;
    const far = Math.abs(step - film.at) !== 1;
    const touched = film.go(step);
    const frame = film.frames[step - 1];
    const item = this.items[(frame?.line ?? 0) - 1];
    const top = item && item !== this.current ? this.place(item) : null;
    const view = field?.view(frame?.hex);
    field?.svg.classList.toggle("still", far);
    field?.show(film, touched, frame);
    if (item !== this.current) this.current?.removeAttribute("aria-current");
    if (item !== this.current) item?.setAttribute("aria-current", "step");
    this.current = item;
    this.say(frame, step);
    if (view) field.window.scrollTo(...view);
    if (top !== null) log.scrollTop = top;
    listed(this.table, this.film.pieces.values(), this.data.sides);
  }

  place(item) {
    const { log } = this;
    const above = item.offsetTop < log.scrollTop;
    const below = item.offsetTop + item.offsetHeight > log.scrollTop + log.clientHeight;
    return above || below ? item.offsetTop - log.clientHeight / 3 : null;
  }

  say(frame, step) {
    const said = frame?.said ?? BEFORE;
    if (this.line.textContent !== said) this.line.textContent = said;
    const dice = (frame?.dice ?? []).flat().map((face) => {
      const die = Object.assign(document.createElement("span"), { className: "dice" });
      die.textContent = face;
      return die;
    });
    this.dice.replaceChildren(...dice);
    this.step.textContent = `Step ${step} of ${this.film.length}`;
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", this.step.textContent);
  }
}

// The map in words.
function listed(table, pieces, sides) {
  if (!table.open) return;
  const sorted = [...pieces].sort(
    (a, b) => a.side - b.side || a.hex.localeCompare(b.hex, "en", { numeric: true }),
  );
  const rows = sorted.map((piece) => {
    const row = document.createElement("tr");
    for (const text of [piece.name, sides[piece.side]?.name ?? "nobody", piece.hex, words(piece)]) {
      const cell = document.createElement(row.childElementCount ? "td" : "th");
      cell.textContent = text;
      row.append(cell);
    }
    row.firstChild.scope = "row";
    return row;
  });
  table.querySelector("tbody").replaceChildren(...rows);
}

const root = document.querySelector("[data-replay]");
if (root) {
  const answer = await fetch(root.dataset.replay, { headers: { Accept: "application/json" } });
  if (answer.ok) new Player(root, await answer.json());
}
