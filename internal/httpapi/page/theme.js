// Light or dark, before anything is drawn: what was chosen, else what the system
// says.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* without storage the system decides */ }
