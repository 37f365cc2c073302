// Tabs, as the ARIA pattern has them: arrows go from one to the next.

export function tabs(list, shown) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

  function choose(tab, focus) {
    for (const t of all) {
      t.setAttribute("aria-selected", t === tab);
      t.tabIndex = t === tab ? 0 : -1;
      panel(t).hidden = t !== tab;
    }
    if (focus) tab.focus();
    shown();
  }

  for (const tab of all) tab.addEventListener("click", () => choose(tab, false));
  list.addEventListener("keydown", (event) => {
    const at = all.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(all[(to + all.length) % all.length], true);
  });
  return (id) => choose(document.getElementById(id), false);
}
