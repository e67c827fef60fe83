// Keys: ? shows them, / goes to the search, j and k walk the rows, Enter opens a row's link,
// Ctrl+Enter submits the form the cursor is in. No key works while something is being typed.

const TYPED = "input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]";

function rows() {
  return [...document.querySelectorAll("[data-rows] > tr, [data-rows] > li")].filter(
    (row) => row.offsetParent !== null && row.querySelector("a, td, th"),
  );
}

function walk(step) {
  const all = rows();
  if (!all.length) return;
  const here = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[Math.max(0, Math.min(all.length - 1, here + step))] ?? all[0];
  next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function showKeys() {
  const dialog = document.getElementById("keys");
  if (dialog && !dialog.open) dialog.showModal();
}

function search() {
  const field = document.querySelector("[data-search]");
  if (!field) return false;
  field.focus();
  field.select?.();
  return true;
}

function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    const form = event.target.closest?.("form");
    if (form) {
      event.preventDefault();
      form.requestSubmit();
    }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED)) return;
  if (event.key === "?") showKeys();
  else if (event.key === "/" && search()) event.preventDefault();
  else if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "Enter" && event.target.matches?.("[data-rows] > *")) {
    event.target.querySelector("a")?.click();
  }
}

export function startKeys() {
  document.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("[data-keys]")) {
    button.hidden = false;
    button.addEventListener("click", showKeys);
  }
}
