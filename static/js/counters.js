// Counters and live sums of the result form. A counter is a number field between two buttons;
// a sum is an <output data-sum="group"> that adds every field with data-in="group", or, with
// data-weighted, what they are worth (data-worth), less data-base, data-times a factor, data-plus a
// sum. A row of conditions must add up to what the unit brought: data-whole="7" on the row says how many.
// The server checks all of it again.

function number(field) {
  const value = Number.parseInt(field.value, 10);
  return Number.isNaN(value) ? 0 : value;
}

function addButtons(field) {
  const counter = document.createElement("span");
  counter.className = "counter";
  const make = (text, step) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.tabIndex = -1;
    button.setAttribute("aria-label", `${step < 0 ? "One fewer" : "One more"}: ${label(field)}`);
    button.addEventListener("click", () => {
      const low = Number(field.min || 0);
      const high = field.max === "" ? Infinity : Number(field.max);
      field.value = String(Math.max(low, Math.min(high, number(field) + step)));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return button;
  };
  field.replaceWith(counter);
  counter.append(make("−", -1), field, make("+", 1));
}

function label(field) {
  return field.getAttribute("aria-label") ?? field.labels?.[0]?.textContent.trim() ?? field.name;
}

// The first field of a row takes what the others leave; more in the first is taken from the last.
function balance(row, changed) {
  const fields = [...row.querySelectorAll("input[type=number]")];
  const rest = fields.find((field) => field.dataset.rest !== undefined);
  if (!rest) return;
  if (rest === changed) {
    let over = fields.reduce((sum, field) => sum + number(field), -Number(row.dataset.whole));
    for (const field of fields.reverse()) {
      const less = Math.min(number(field), Math.max(0, over));
      if (field !== rest) field.value = String(number(field) - less);
      if (field !== rest) over -= less;
    }
    return;
  }
  const others = fields.filter((field) => field !== rest);
  const used = others.reduce((sum, field) => sum + number(field), 0);
  rest.value = String(Math.max(0, Number(row.dataset.whole) - used));
}

function check(row) {
  const fields = [...row.querySelectorAll("input[type=number]")];
  const used = fields.reduce((sum, field) => sum + number(field), 0);
  const wrong = used !== Number(row.dataset.whole);
  for (const field of fields) field.toggleAttribute("aria-invalid", false);
  if (wrong) for (const field of fields) field.setAttribute("aria-invalid", "true");
  for (const into of row.querySelectorAll("select.into")) {
    const merged = into.closest("td, fieldset").querySelector('[name$=":merged"]');
    into.hidden = merged !== null && number(merged) === 0;
  }
  const says = row.querySelector("[data-says]");
  if (says) says.textContent = wrong ? `${used} of ${row.dataset.whole} accounted for` : "";
}

function sums() {
  for (const output of document.querySelectorAll("output[data-sum]")) {
    const group = output.dataset.sum;
    const fields = document.querySelectorAll(`[data-in~="${group}"]`);
    let total = 0;
    const weighted = output.dataset.weighted !== undefined;
    for (const field of fields) {
      total += number(field) * (weighted ? Number(field.dataset.worth ?? 0) : 1);
    }
    const { base = 0, times = 1, plus = 0 } = output.dataset;
    output.value = String((total - Number(base)) * Number(times) + Number(plus));
  }
}

function onInput(event) {
  const row = event.target.closest?.("[data-whole]");
  if (row) {
    balance(row, event.target);
    check(row);
  }
  sums();
}

// Up and down move between rows of a grid, as in a spreadsheet.
function onArrow(event) {
  if (!["ArrowUp", "ArrowDown"].includes(event.key)) return;
  const cell = event.target.closest("[data-grid] td");
  if (!cell) return;
  event.preventDefault();
  const row = event.key === "ArrowUp" ? "previousElementSibling" : "nextElementSibling";
  let next = cell.parentElement[row];
  while (next && !next.cells?.[cell.cellIndex]?.querySelector("input")) next = next[row];
  next?.cells[cell.cellIndex].querySelector("input").select();
  next?.cells[cell.cellIndex].querySelector("input").focus();
}

export function startCounters() {
  for (const field of document.querySelectorAll("input[data-counter]")) addButtons(field);
  document.addEventListener("input", onInput);
  document.addEventListener("keydown", onArrow);
  for (const row of document.querySelectorAll("[data-whole]")) check(row);
  sums();
}
