// The colour theme: the system's, unless the reader chose another. Loaded before the page is
// painted (a classic script in the head), so that nothing flashes.
(() => {
  const KEY = "sitrep-theme";
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function apply() {
    const theme = chosen() ?? (system.matches ? "dark" : "light");
    root.setAttribute("data-bs-theme", theme);
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      const next = theme === "dark" ? "light" : "dark";
      button.hidden = false;
      button.textContent = next === "dark" ? "Dark" : "Light";
      button.setAttribute("aria-label", `Use the ${next} theme`);
    }
  }

  function toggle() {
    const next = root.getAttribute("data-bs-theme") === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Private windows may refuse storage: the choice then lasts for this page.
    }
    root.setAttribute("data-bs-theme", next);
    apply();
  }

  apply();
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-toggle]")) toggle();
  });
})();
