// The pieces of a battle on its map: a node a piece, touched only where it changed.

const SIZE = 32;
const ALONE = 1.25; // how much larger a piece is that has a hex to itself
const ZOOM = 0.95;
const ANGLES = { N: 0, NE: 60, SE: 120, S: 180, SW: 240, NW: 300 };
const LETTERS = {
  reduced: "½", moved: "M", assaulted: "A", fired: "F", "fired twice": "FF", done: "D", hidden: "H",
};
const LAYOUTS = [
  [[0, 0]],
  [[-14, 0], [14, 0]],
  [[-14, -10], [14, -10], [0, 11]],
  [[-14, -10], [14, -10], [-14, 11], [14, 11]],
];
let namespace = ""; // that of the map's own nodes

function make(name, attributes = {}, parent = null) {
  const node = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent?.append(node);
  return node;
}

export function words(piece) {
  return [piece.morale, ...piece.marks].filter(Boolean).join(", ");
}

function letters(piece) {
  const signs = piece.marks.map((mark) => LETTERS[mark] ?? (mark.startsWith("carries") ? "+" : ""));
  return [piece.morale ? piece.morale[0].toUpperCase() : "", ...signs].join(" ").trim();
}

export class Field {
  constructor(svg, data, atlas) {
    namespace = svg.namespaceURI;
    this.svg = svg;
    this.window = svg.closest(".scroll");
    this.data = data;
    this.atlas = atlas;
    this.nodes = new Map();
    this.hexOf = new Map();
    this.stacks = new Map();
    this.busy = [];
    this.below = make("g", { class: "markers" });
    svg.insertBefore(this.below, svg.querySelector("text"));
    svg.style.width = `${svg.viewBox.baseVal.width * ZOOM}px`;
    this.above = make("g", { class: "pieces" }, svg);
    this.shots = make("g", { class: "shots" }, svg);
    const arrow = { id: "shot-head", viewBox: "0 0 8 8", refX: 7, refY: 4, orient: "auto" };
    const head = make("marker", { ...arrow, markerWidth: 5, markerHeight: 5 }, make("defs", {}, svg));
    make("path", { d: "M0,0 L8,4 L0,8 z", class: "shot-head" }, head);
    new ResizeObserver(() => this.measure()).observe(this.window);
    this.measure();
  }

  measure() {
    const { window: box, svg } = this;
    this.scale = svg.clientWidth / svg.viewBox.baseVal.width || 1;
    this.room = [box.clientWidth, box.clientHeight];
    this.scrolls = box.scrollWidth > this.room[0] + 1 || box.scrollHeight > this.room[1] + 1;
  }

  node(id, piece) {
    let node = this.nodes.get(id);
    if (node) return node;
    const group = make("g");
    node = { group, title: make("title", {}, group) };
    if (piece.symbol) {
      node.nose = make("path", { class: "nose", d: "M-5,-17 L0,-23 L5,-17 z" }, group);
      const corner = -SIZE / 2;
      node.use = make("use", { x: corner, y: corner, width: SIZE, height: SIZE }, group);
      node.text = make("text", { class: "signs", y: 15 }, group);
    } else if (piece.marks.includes("melee")) {
      make("circle", { class: "fray", r: 25 }, group);
    } else {
      make("circle", { class: "held", r: 20 }, group);
      node.text = make("text", { class: "signs", x: 20, y: -12 }, group);
    }
    this.nodes.set(id, node);
    return node;
  }

  draw(id, piece) {
    const before = this.hexOf.get(id);
    if (before !== piece?.hex) this.leave(id, before);
    if (!piece) {
      this.nodes.get(id)?.group.remove();
      return;
    }
    const node = this.node(id, piece);
    const side = this.data.sides[piece.side];
    const unseen = piece.marks.includes("hidden") ? "unseen" : "";
    node.look = `${piece.symbol ? "piece" : "marker"} side-${side?.colour} ${piece.morale} ${unseen}`;
    node.group.setAttribute("class", node.look);
    node.title.textContent = [piece.name, words(piece)].filter(Boolean).join(": ");
    if (node.use) {
      if (node.symbol !== piece.symbol) node.use.setAttribute("href", `${this.atlas}#${piece.symbol}`);
      node.symbol = piece.symbol;
      node.nose.setAttribute("visibility", piece.facing ? "visible" : "hidden");
      if (piece.facing) node.nose.setAttribute("transform", `rotate(${ANGLES[piece.facing] ?? 0})`);
      node.text.textContent = letters(piece);
    } else if (node.text) node.text.textContent = side?.name[0] ?? "";
    if (!node.group.parentNode) (piece.symbol ? this.above : this.below).append(node.group);
    if (before === piece.hex) return;
    this.hexOf.set(id, piece.hex);
    if (piece.symbol) {
      if (!this.stacks.has(piece.hex)) this.stacks.set(piece.hex, new Set());
      this.stacks.get(piece.hex).add(id);
      this.moved.add(piece.hex);
    } else this.put(node, piece.hex, 0, 0);
  }

  leave(id, hex) {
    this.hexOf.delete(id);
    if (hex !== undefined && this.stacks.get(hex)?.delete(id)) this.moved.add(hex);
  }

  put(node, hex, dx, dy, scale = 1) {
    const [x, y] = this.data.hexes[hex] ?? [0, 0];
    node.group.style.transform = `translate(${x + dx}px,${y + dy}px) scale(${scale})`;
  }

  // Those in one hex stand side by side.
  spread(hex) {
    const ids = [...this.stacks.get(hex)].sort((a, b) => a - b);
    ids.forEach((id, n) => {
      const fixed = LAYOUTS[ids.length - 1]?.[n];
      const [dx, dy] = fixed ?? [((n % 3) - 1) * 17, (Math.floor(n / 3) - 0.5) * 18];
      this.put(this.nodes.get(id), hex, dx, dy, ids.length > 1 ? 1 : ALONE);
    });
  }

  show(film, touched, frame) {
    this.moved = new Set();
    for (const node of this.busy) node.group.setAttribute("class", node.look);
    for (const id of touched) this.draw(id, film.pieces.get(id));
    for (const hex of this.moved) this.spread(hex);
    this.busy = frame ? frame.acting.map((id) => this.nodes.get(id)) : [];
    for (const node of this.busy) node.group.setAttribute("class", `${node.look} acting`);
    this.shots.replaceChildren();
    for (const [from, to] of frame?.fire ?? []) {
      const [[x1, y1], [x2, y2]] = [this.data.hexes[from] ?? [0, 0], this.data.hexes[to] ?? [0, 0]];
      make("line", { class: "shot", x1, y1, x2, y2, "marker-end": "url(#shot-head)" }, this.shots);
    }
  }

  // Bring the middle of some hexes into the middle of the window.
  centre(hexes) {
    const spots = hexes.map((hex) => this.data.hexes[hex]).filter(Boolean);
    if (!this.scrolls || !spots.length) return;
    const middle = [0, 1].map((n) => spots.reduce((sum, spot) => sum + spot[n], 0) / spots.length);
    this.window.scrollTo(...middle.map((value, n) => value * this.scale - this.room[n] / 2));
  }

  // Where the window has to stand for a hex to be in it; null where it is.
  view(hex) {
    if (!this.scrolls || !this.data.hexes[hex]) return null;
    const { room, window: box } = this;
    const spot = this.data.hexes[hex].map((value) => value * this.scale);
    const away = [spot[0] - box.scrollLeft, spot[1] - box.scrollTop];
    if (away.every((value, n) => value > 40 && value < room[n] - 40)) return null;
    return spot.map((value, n) => value - room[n] / 2);
  }
}
