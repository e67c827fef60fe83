// A long form saves itself. <form data-draft="/address"> is posted there, as it stands, a
// second after the last change; the words under [data-draft-says] tell what happened.

const PAUSE = 1000;

function words(form, text) {
  const says = form.querySelector("[data-draft-says]");
  if (says) says.textContent = text;
}

async function save(form) {
  words(form, "Saving the draft …");
  try {
    const answer = await fetch(form.dataset.draft, {
      method: "POST",
      body: new FormData(form),
      headers: { "X-Requested-With": "draft" },
      credentials: "same-origin",
    });
    if (answer.ok) {
      const at = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      words(form, `Draft saved at ${at}.`);
    } else {
      words(form, "The draft could not be saved. Your figures are still on this page.");
    }
  } catch {
    words(form, "No connection: the draft is not saved yet. Keep this page open.");
  }
}

export function startDrafts() {
  for (const form of document.querySelectorAll("form[data-draft]")) {
    let timer = 0;
    form.addEventListener("input", () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => save(form), PAUSE);
    });
    form.addEventListener("submit", () => window.clearTimeout(timer));
  }
}
