// Signs of pieces, and where they stand in their hex.

export const LETTERS = {
  reduced: "½", moved: "M", assaulted: "A", fired: "F", "fired twice": "FF", done: "D", hidden: "H",
  "on road": "R",
};
// What lies on the field is a plate with a sign at the foot of its hex.
export const PLATES = {
  wreck: "wk", cover: "cv", foxholes: "fx", trench: "tr", mines: "mi", bunker: "bu", pillbox: "pb",
  wire: "wi", roadblock: "rb", rubble: "ru", strike: "✸", glider: "gl", transport: "tp", card: "♣",
};
// Where one to four stand in their hex, and how large: no piece lies in another hex.
export const LAYOUTS = [
  [1.25, [0, 0]],
  [0.82, [-13, 0], [13, 0]],
  [0.76, [-12, -11], [12, -11], [0, 12]],
  [0.76, [-12, -11], [12, -11], [-12, 12], [12, 12]],
];
// Where a work lies at the foot of the hex they leave it room.
export const OVER_WORKS = [
  [1, [0, -6]],
  [0.76, [-13, -7], [13, -7]],
  [0.58, [-11, -15], [11, -15], [0, 3]],
  [0.58, [-11, -15], [11, -15], [-11, 3], [11, 3]],
];
export const PLATE_STEP = 21;
export const PLATES_WIDE = 42; // as many as there are share the foot of a hex
// More are a pile of three with their number on it, which opens over the map.
export const PILE = [0.82, [-6, -6], [-1, -1], [4, 4]];
export const OPEN = 38; // from one piece of an open pile to the next
export const ROW = 4;
