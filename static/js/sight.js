// A line of sight asked on the map: touch one hex, then another. The server answers in words and
// with the line as SVG, which is put over the map here. The two fields do the same by keyboard.

const HEX = 30; // centre to corner, in the units of the map
const EDGE = 24; // of the screen, in pixels: a line ends within it
const NAME_ABOVE = 16; // how far above its centre the name of a hex stands

function hexes(map) {
  return [...map.querySelectorAll("text.coordinate:not(.height)")].map((text) => ({
    name: text.textContent,
    x: Number(text.getAttribute("x")),
    y: Number(text.getAttribute("y")) + NAME_ABOVE,
  }));
}

function nearest(spots, x, y) {
  const away = (spot) => Math.hypot(spot.x - x, spot.y - y);
  const best = spots.reduce((one, two) => (away(two) < away(one) ? two : one));
  return away(best) <= HEX ? best : null;
}

// The line of the report that the player is at; 0 before the battle.
function lineNow() {
  const row = document.querySelector("[data-rows] [aria-current]");
  return row ? row.id.replace("line-", "") : "0";
}

function startSight(form, map) {
  const [from, to] = [form.elements.from, form.elements.to];
  const spots = hexes(map);
  const put = (group) => {
    map.querySelector("g.sight")?.remove();
    if (group) map.append(group);
  };
  const answered = () => put(document.querySelector("[data-sight-line] > g"));
  // A line is brought into the window of the map, and the map between the player and the foot of
  // the screen: on a phone the question stands far below it.
  const show = (line) => {
    const box = map.closest(".scroll");
    const frame = box.getBoundingClientRect();
    let at = line.getBoundingClientRect();
    box.scrollLeft += (at.left + at.right - frame.left - frame.right) / 2;
    box.scrollTop += (at.top + at.bottom - frame.top - frame.bottom) / 2;
    at = line.getBoundingClientRect();
    const [top, foot] = [document.querySelector(".player").offsetHeight + EDGE, window.innerHeight - EDGE];
    if (at.top < top) window.scrollBy(0, at.top - top);
    else if (at.bottom > foot) window.scrollBy(0, Math.min(at.bottom - foot, at.top - top));
  };

  map.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const spot = nearest(spots, at.x, at.y);
    if (!spot) return;
    if (!from.value || to.value) {
      from.value = spot.name;
      to.value = "";
      const group = document.createElementNS(map.namespaceURI, "g");
      const ring = document.createElementNS(map.namespaceURI, "circle");
      group.setAttribute("class", "sight");
      for (const [key, value] of Object.entries({ class: "end", cx: spot.x, cy: spot.y, r: 6 }))
        ring.setAttribute(key, value);
      group.append(ring);
      put(group);
    } else {
      to.value = spot.name;
      form.elements.line.value = lineNow();
      form.requestSubmit();
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "sight") return;
    answered();
    const ray = map.querySelector("g.sight .ray");
    if (ray) show(ray);
  });
  answered();
  // The player gives the map its size and lays the pieces over it: after that, once more.
  map.closest(".replay").addEventListener("replay:live", () => {
    put(map.querySelector("g.sight"));
    const ray = map.querySelector("g.sight .ray");
    if (ray) show(ray);
  });
  map.classList.add("asked");
  for (const part of document.querySelectorAll("[data-by-map]")) part.hidden = false;
}

const form = document.querySelector("form[data-sight]");
const map = document.querySelector(".replay svg.map");
if (form && map) startSight(form, map);
