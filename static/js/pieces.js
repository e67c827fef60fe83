// The pieces of a battle on its map: a node a piece, touched only where it changed.

import {
  LAYOUTS, LETTERS, OPEN, OVER_WORKS, PILE, PLATES, PLATES_WIDE, PLATE_STEP, ROW,
} from "./layouts.js";

const SIZE = 32;
const SIGNS = 10;
const ZOOM = 0.95;
const ANGLES = { N: 0, NE: 60, SE: 120, S: 180, SW: 240, NW: 300 };
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
    this.laid = new Map(); // plates by hex
    this.badges = new Map();
    this.opened = null; // the hex whose pile lies open
    this.acting = new Set();
    this.busy = [];
    this.below = make("g", { class: "markers" });
    svg.querySelector("text").before(this.below);
    svg.setAttribute("role", "group"); // an image could hold nothing to press
    svg.style.width = `${svg.viewBox.baseVal.width * ZOOM}px`;
    this.above = make("g", { class: "pieces", "aria-hidden": "true" }, svg);
    // Names are read over whoever stands there.
    make("g", { class: "names", "aria-hidden": "true" }, svg).append(...svg.querySelectorAll("text.place"));
    this.numbers = make("g", { class: "badges" }, svg);
    this.shots = make("g", { class: "shots" }, svg);
    const arrow = { id: "shot-head", viewBox: "0 0 8 8", refX: 7, refY: 4, orient: "auto" };
    const head = make("marker", { ...arrow, markerWidth: 5, markerHeight: 5 }, make("defs", {}, svg));
    make("path", { d: "M0,0 L8,4 L0,8 z", class: "shot-head" }, head);
    new ResizeObserver(() => this.measure()).observe(this.window);
    this.measure();
    this.listen();
  }

  // A pile is opened by its number, with a finger, a mouse or a key; Escape closes it.
  listen() {
    const pressed = (event) => {
      const badge = event.target.closest?.(".badge");
      if (!badge) return;
      event.preventDefault();
      event.stopPropagation(); // the map below asks for a line of sight
      this.open(badge.dataset.hex === this.opened ? null : badge.dataset.hex);
    };
    this.numbers.addEventListener("click", pressed);
    this.numbers.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") pressed(event);
      if (event.key === "Escape") this.open(null);
    });
  }

  open(hex) {
    const before = this.opened;
    this.opened = hex;
    for (const changed of [before, hex]) if (changed && this.stacks.has(changed)) this.spread(changed);
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
    } else if (piece.marks.includes("smoke")) {
      make("circle", { class: "smoke", r: 27 }, group);
    } else if (piece.marks[0] in PLATES) {
      make("rect", { class: "plate", x: -10, y: 12, width: 20, height: 13, rx: 2 }, group);
      node.plate = true;
      const sign = make("text", { class: "sign", y: 22 }, group);
      sign.textContent = PLATES[piece.marks[0]];
      if (piece.facing) node.nose = make("path", { class: "nose", d: "M-5,-17 L0,-23 L5,-17 z" }, group);
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
    const thin = piece.marks.includes("smoke") && piece.marks.includes("2") ? "thin" : "";
    node.look = `${piece.symbol ? "piece" : "marker"} side-${side?.colour} ${piece.morale} ${unseen} ${thin}`;
    node.group.setAttribute("class", node.look);
    node.title.textContent = [piece.name, words(piece)].filter(Boolean).join(": ");
    if (node.use) {
      if (node.symbol !== piece.symbol) node.use.setAttribute("href", `${this.atlas}#${piece.symbol}`);
      node.symbol = piece.symbol;
      node.nose.setAttribute("visibility", piece.facing ? "visible" : "hidden");
      if (piece.facing) node.nose.setAttribute("transform", `rotate(${ANGLES[piece.facing] ?? 0})`);
      node.text.textContent = letters(piece);
    } else if (node.text) node.text.textContent = side?.name[0] ?? "";
    else if (node.nose) node.nose.setAttribute("transform", `rotate(${ANGLES[piece.facing] ?? 0})`);
    if (!node.group.parentNode) (piece.symbol ? this.above : this.below).append(node.group);
    if (before === piece.hex) return;
    this.hexOf.set(id, piece.hex);
    if (piece.symbol) {
      if (!this.stacks.has(piece.hex)) this.stacks.set(piece.hex, new Set());
      this.stacks.get(piece.hex).add(id);
      this.moved.add(piece.hex);
    } else if (node.plate) {
      if (!this.laid.has(piece.hex)) this.laid.set(piece.hex, new Set());
      this.laid.get(piece.hex).add(id);
      this.moved.add(piece.hex);
    } else this.put(node, piece.hex, 0, 0);
  }

  leave(id, hex) {
    this.hexOf.delete(id);
    if (hex !== undefined && this.laid.get(hex)?.delete(id)) this.moved.add(hex);
    if (hex !== undefined && this.stacks.get(hex)?.delete(id)) this.moved.add(hex);
  }

  put(node, hex, dx, dy, scale = 1) {
    const [x, y] = this.data.hexes[hex] ?? [0, 0];
    node.group.style.transform = `translate(${x + dx}px,${y + dy}px) scale(${scale})`;
    if (node.text) node.text.style.fontSize = `${SIGNS / Math.min(1, scale)}px`; // as large as ever
  }

  // Those in one hex: side by side in it, a pile with its number, or an open pile.
  spread(hex) {
    const plates = [...(this.laid.get(hex) ?? [])].sort((a, b) => a - b);
    const step = Math.min(PLATE_STEP, PLATES_WIDE / plates.length);
    plates.forEach((id, n) => this.put(this.nodes.get(id), hex, (n - (plates.length - 1) / 2) * step, 0));
    const ids = [...(this.stacks.get(hex) ?? [])].sort((a, b) => a - b);
    const piled = ids.length >= LAYOUTS.length + 1;
    const open = piled && this.opened === hex;
    if (!piled && this.opened === hex) this.opened = null;
    if (open) this.fan(hex, ids);
    else if (piled) this.pile(hex, ids);
    else {
      const [scale, ...spots] = (plates.length ? OVER_WORKS : LAYOUTS)[ids.length - 1] ?? [1];
      ids.forEach((id, n) => this.stand(id, hex, spots[n], scale));
    }
    this.badge(hex, ids, piled, open);
  }

  stand(id, hex, [dx, dy], scale) {
    const node = this.nodes.get(id);
    node.group.removeAttribute("visibility");
    this.put(node, hex, dx, dy, scale);
  }

  // Who acts lies on top; the three uppermost show.
  pile(hex, ids) {
    const order = [...ids].sort((a, b) => this.acting.has(a) - this.acting.has(b));
    const [scale, ...spots] = PILE;
    order.forEach((id, n) => {
      const up = n - (order.length - spots.length);
      const node = this.nodes.get(id);
      this.stand(id, hex, spots[Math.max(0, up)], scale);
      if (up < 0) node.group.setAttribute("visibility", "hidden");
      else this.above.append(node.group);
    });
  }

  fan(hex, ids) {
    const across = Math.min(ROW, ids.length);
    const down = Math.ceil(ids.length / ROW);
    const [x, y] = this.data.hexes[hex] ?? [0, 0];
    const [wide, high] = [across * OPEN + 8, down * OPEN + 10];
    this.cloth ??= make("rect", { class: "cloth", rx: 6 });
    const cloth = { x: x - wide / 2, y: y - high / 2, width: wide, height: high };
    for (const [key, value] of Object.entries(cloth)) this.cloth.setAttribute(key, value);
    this.above.append(this.cloth);
    ids.forEach((id, n) => {
      const [column, row] = [n % ROW, Math.floor(n / ROW)];
      const beside = Math.min(ROW, ids.length - row * ROW);
      this.stand(id, hex, [(column - (beside - 1) / 2) * OPEN, (row - (down - 1) / 2) * OPEN], 1);
      this.above.append(this.nodes.get(id).group);
    });
  }

  badge(hex, ids, piled, open) {
    let badge = this.badges.get(hex);
    if (!open && this.cloth && this.opened === null) this.cloth.remove();
    if (!piled) {
      badge?.remove();
      this.badges.delete(hex);
      return;
    }
    if (!badge) {
      badge = make("g", { class: "badge", role: "button", tabindex: 0, "data-hex": hex }, this.numbers);
      make("circle", { r: 13 }, badge);
      make("text", { y: 4 }, badge);
      this.badges.set(hex, badge);
    }
    const [x, y] = this.data.hexes[hex] ?? [0, 0];
    const corner = open ? [(Math.min(ROW, ids.length) * OPEN) / 2 + 4, -((Math.ceil(ids.length / ROW) * OPEN) / 2) - 4] : [17, 15];
    badge.setAttribute("transform", `translate(${x + corner[0]} ${y + corner[1]})`);
    badge.setAttribute("aria-expanded", String(open));
    const who = ids.map((id) => this.nodes.get(id).title.textContent).join("; ");
    badge.setAttribute("aria-label", `${hex}, ${ids.length} pieces: ${who}`);
    badge.lastChild.textContent = open ? "×" : ids.length;
  }

  show(film, touched, frame) {
    this.moved = new Set();
    for (const node of this.busy) node.group.setAttribute("class", node.look);
    for (const id of touched) this.draw(id, film.pieces.get(id));
    // Who acts comes to the top of his pile, who acted goes back into his.
    for (const id of [...this.acting, ...(frame?.acting ?? [])])
      if (this.badges.has(this.hexOf.get(id))) this.moved.add(this.hexOf.get(id));
    this.acting = new Set(frame?.acting);
    for (const hex of this.moved) this.spread(hex);
    if (this.opened && this.moved.size) this.spread(this.opened); // over whatever was moved
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
