"use strict";
// The page: controls → numbers and charts; what was chosen comes from the address.

const chosen = { k: 10, drop: false, off: new Set() };

function readChoices(portfolio) {
  const k = Number(state.get("k") ?? portfolio.k);
  chosen.k = k >= 1 && Number.isFinite(k) ? k : portfolio.k;
  chosen.drop = state.get("drop") === "1";
  const off = (state.get("off") ?? "").split(",").filter(Boolean).map(Number);
  chosen.off = new Set(off.filter((s) => portfolio.algorithms.includes(s)));
  if (chosen.off.size === portfolio.algorithms.length) chosen.off.clear();
  view.show = state.get("show") === "selector" && portfolio.selectors.length ? "selector" : "algorithm";
}

function recompute() {
  const { portfolio } = view;
  const scores = (view.scores = portfolio.scores(chosen));
  const { sbs, vbs, vws, attainable, gapOf } = scores;
  const single = portfolio.solvers[sbs].name;
  const values = { k: scores.k, n: scores.rows.length, algorithms: scores.on.length, unsolvable: scores.unsolvable, sbs: single,
    "sbs-par": scores.mean[sbs], "vbs-par": vbs, "vws-par": vws, room: vbs > 0 ? scores.mean[sbs] / vbs : null, attainable: attainable === null ? null : gapOf(attainable),
    "sbs-solved": scores.share[sbs], "vbs-solved": scores.solvedByVbs };
  for (const node of document.querySelectorAll("[data-live]")) {
    const value = values[node.dataset.live];
    node.textContent = shown(value);
    node.dataset.exact = value ?? "";
    const holder = node.closest("[data-tip]") ?? node;
    holder.dataset.tip = [holder.dataset.help, `n = ${scores.rows.length}`, portfolio.protocol].filter(Boolean).join(" · ");
    holder.tabIndex = 0;
  }
  fillRows(scores);
  redrawAll();
}

// The live columns of the tables: a row names its solver by number.
function fillRows(scores) {
  const kinds = { par: (s) => scores.mean[s], solved: (s) => scores.share[s], gap: (s) => scores.gap[s] };
  for (const row of document.querySelectorAll("tr[data-solver]")) {
    const s = Number(row.dataset.solver);
    row.dataset.n = scores.rows.length;
    row.classList.toggle("off", chosen.off.has(s));
    for (const cell of row.querySelectorAll("td[data-column]")) {
      const value = kinds[cell.dataset.column](s);
      cell.dataset.v = value ?? "";
      cell.textContent = shown(value);
    }
  }
  for (const head of document.querySelectorAll("th[data-k] button")) head.textContent = `PAR${shown(scores.k)} now`;
  for (const one of tables.values()) {
    one.names = one.heads.map((h) => h.textContent);
    if (one.sorted && one.heads[one.sorted.column].dataset.now !== undefined) one.sort();
  }
}

function changed(portfolio) {
  remember("k", chosen.k === portfolio.k ? null : chosen.k);
  remember("drop", chosen.drop ? "1" : null);
  remember("off", [...chosen.off].sort((a, b) => a - b).join(","));
  recompute();
  const { sbs, vbs, mean, rows } = view.scores;
  say(`PAR${shown(chosen.k)} over ${rows.length} instances: SBS ${portfolio.solvers[sbs].name} ${shown(mean[sbs])}, VBS ${shown(vbs)}`);
}

function openControls(portfolio) {
  const k = byId("k"), drop = byId("drop");
  if (k) {
    k.value = chosen.k;
    k.addEventListener("input", () => { const v = Number(k.value); if (v >= 1 && Number.isFinite(v)) { chosen.k = v; changed(portfolio); } });
    drop.checked = chosen.drop;
    drop.addEventListener("change", () => { chosen.drop = drop.checked; changed(portfolio); });
  }
  const boxes = [...document.querySelectorAll("input[data-choose]")];
  const sync = () => boxes.forEach((b) => { b.checked = !chosen.off.has(Number(b.dataset.choose)); });
  for (const box of boxes) {
    box.addEventListener("change", () => {
      const s = Number(box.dataset.choose);
      if (box.checked) chosen.off.delete(s); else if (portfolio.algorithms.length - chosen.off.size > 1) chosen.off.add(s);
      sync();
      changed(portfolio);
    });
  }
  const pick = (keep) => () => { // what the table shows now, all, or all again
    const seen = boxes.filter((b) => keep(b.closest("tr"))).map((b) => Number(b.dataset.choose));
    if (seen.length) chosen.off = new Set(portfolio.algorithms.filter((s) => !seen.includes(s)));
    sync();
    changed(portfolio);
  };
  byId("choose-shown")?.addEventListener("click", pick((row) => !row.hidden));
  byId("choose-all")?.addEventListener("click", pick(() => true));
  byId("reset")?.addEventListener("click", () => { Object.assign(chosen, { k: portfolio.k, drop: false, off: new Set() }); if (k) { k.value = chosen.k; drop.checked = false; } sync(); changed(portfolio); });
  sync();
}

function openChoosers(portfolio) {
  const order = [...portfolio.algorithms].sort((a, b) => view.scores.mean[a] - view.scores.mean[b]);
  const asked = ["x", "y"].map((key) => portfolio.solvers.findIndex((s) => s.name === state.get(key)));
  view.pair = asked.map((s, i) => (s >= 0 ? s : order[Math.min(i, order.length - 1)]));
  ["x", "y"].forEach((key, i) => {
    const select = byId(`pair-${key}`);
    if (!select) return;
    for (const kind of ["selector", "algorithm"]) {
      const options = portfolio.solvers.map((s, at) => [s, at]).filter(([s]) => s.kind === kind).map(([s, at]) => make("option", { value: at }, s.name));
      if (options.length) select.append(make("optgroup", { label: `${kind}s` }, ...options));
    }
    select.value = view.pair[i];
    select.addEventListener("change", () => { view.pair[i] = Number(select.value); remember(key, portfolio.solvers[view.pair[i]].name); refresh(byId("scatter")); });
  });
  const show = byId("show");
  if (show) {
    show.value = view.show;
    show.addEventListener("change", () => { view.show = show.value; remember("show", show.value === "algorithm" ? null : show.value); redrawAll(); });
  }
}

function openTheme() {
  const root = document.documentElement, button = byId("theme");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const set = (name) => { if (name) root.dataset.theme = name; button.setAttribute("aria-pressed", dark()); };
  set(["dark", "light"].includes(state.get("theme")) ? state.get("theme") : null);
  button.addEventListener("click", () => { set(dark() ? "light" : "dark"); remember("theme", root.dataset.theme); });
}

// Jumps within the page, which leave the choices in the address alone.
function openLinks() {
  for (const link of document.querySelectorAll("a[href^='#']")) {
    link.addEventListener("click", (event) => {
      const target = byId(link.getAttribute("href").slice(1));
      event.preventDefault();
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    });
  }
}

function begin() {
  openTheme();
  openLinks();
  openTables();
  for (const [id, spec] of Object.entries(embedded("charts") ?? {})) chart(id, () => spec);
  const data = embedded("data");
  if (data) {
    const portfolio = (view.portfolio = new Portfolio(data));
    readChoices(portfolio);
    view.scores = portfolio.scores(chosen);
    openControls(portfolio);
    openChoosers(portfolio);
    for (const [id, spec] of Object.entries(LIVE)) chart(id, spec);
    recompute();
  }
  let width = byId("content").clientWidth;
  new ResizeObserver(([entry]) => { // the phone is turned, the window is drawn wider
    const now = entry.target.clientWidth;
    if (now > 0 && now !== width) { width = now; redrawAll(); }
  }).observe(byId("content"));
  addEventListener("hashchange", () => { if (location.hash.includes("=")) location.reload(); });
  document.documentElement.dataset.ready = "1";
}

begin();
