// What every page gets: keys, toasts that can be put away, forms that are sent once.

import { startKeys } from "./keys.js";
import { startCounters } from "./counters.js";
import { startDrafts } from "./drafts.js";

const TOAST_SECONDS = 12;

function startToasts() {
  document.addEventListener("click", (event) => {
    event.target.closest(".slip")?.remove();
  });
  // On a small screen a toast lies over buttons: a touch anywhere puts it away.
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" || event.target.closest(".toasts")) return;
    for (const slip of document.querySelectorAll(".slip")) slip.remove();
  });
  for (const slip of document.querySelectorAll(".slip")) {
    let timer = 0;
    const wait = () => {
      timer = window.setTimeout(() => slip.remove(), TOAST_SECONDS * 1000);
    };
    slip.addEventListener("mouseenter", () => window.clearTimeout(timer));
    slip.addEventListener("focusin", () => window.clearTimeout(timer));
    slip.addEventListener("mouseleave", wait);
    wait();
  }
}

// The server is safe against a form sent twice; this only saves the second round.
function startOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) {
      delete form.dataset.sent;
      form.removeAttribute("aria-busy");
    }
  });
}

// A select that only moves the reader to another view of the page submits itself.
function startAutoSubmit() {
  for (const button of document.querySelectorAll("[data-go] button")) button.hidden = true;
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-go] select")) event.target.form.requestSubmit();
  });
}

function startCopy() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      field.select();
      await navigator.clipboard?.writeText(field.value);
      button.textContent = "Copied";
    });
  }
}

// What is folded of a sum is printed, also by browsers whose style sheets cannot unfold it.
function startPrint() {
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details.cites:not([open])")];
    for (const part of folded) part.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const part of folded) part.open = false;
  });
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
}

// On a phone the tabs of a campaign are a row that scrolls: the one that is read is in sight.
function startTabs() {
  const here = document.querySelector(".campaign-bar [aria-current]");
  const row = here?.closest("ul");
  if (row) row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
}

startTabs();
startToasts();
startOnce();
startAutoSubmit();
startCopy();
startPrint();
startKeys();
startCounters();
startDrafts();
