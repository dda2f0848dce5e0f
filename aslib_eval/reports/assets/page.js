"use strict";
// The page: controls → numbers and charts; what was chosen comes from the address.

function readChoices(portfolio) {
  const k = Number(state.get("k") ?? portfolio.k);
  chosen.k = k >= 1 && Number.isFinite(k) ? k : portfolio.k;
  chosen.drop = state.get("drop") === "1";
  const off = (state.get("off") ?? "").split(",").filter(Boolean).map(Number);
  chosen.off = new Set(off.filter((s) => portfolio.algorithms.includes(s)));
  if (chosen.off.size === portfolio.algorithms.length) chosen.off.clear();
  if (portfolio.families) families.open(portfolio);
  if (state.get("only")) chosen.only = { words: state.get("only"), rows: rowsOf(state.get("only")) };
  view.show = state.get("show") === "selector" && portfolio.selectors.length ? "selector" : "algorithm";
}

function recompute() {
  const { portfolio } = view;
  const scores = (view.scores = portfolio.scores(chosen));
  const { sbs, vbs, vws, attainable, gapOf } = scores;
  const single = portfolio.solvers[sbs].name;
  const values = { k: scores.k, n: scores.rows.length, algorithms: scores.on.length, unsolvable: scores.unsolvable, sbs: single,
    "sbs-par": scores.mean[sbs], "vbs-par": vbs, "vws-par": vws, room: vbs > 0 ? scores.mean[sbs] / vbs : null, attainable: attainable === null ? null : gapOf(attainable),
    "sbs-solved": scores.share[sbs], "vbs-solved": scores.solvedByVbs,
    "sbs-own": portfolio.own(scores.mean[sbs]), "vbs-own": portfolio.own(vbs), "vws-own": portfolio.own(vws), ...leading(scores) };
  for (const node of settled("[data-live]")) {
    const stored = (node.dataset.stored ??= node.dataset.exact); // where the page cannot compute it
    const value = values[node.dataset.live] ?? (isChanged() || stored === "" ? null : Number(stored));
    node.textContent = node.dataset.share === undefined ? brief(value) : percent(value);
    node.dataset.exact = value ?? "";
    const holder = node.closest("[data-tip]") ?? node;
    const exact = [...holder.parentNode.querySelectorAll("[data-live]")].filter((n) => holder.contains(n) && n.dataset.exact !== "" && !Number.isNaN(Number(n.dataset.exact))).map((n) => n.dataset.exact).join(", ");
    holder.dataset.tip = [holder.dataset.help, exact, `n = ${scores.rows.length}`, stateText()].filter(Boolean).join(" · ");
    if (!node.closest(".story, summary")) holder.tabIndex = 0;
  }
  fillRows(scores);
  tellPart(scores);
  tellLates();
  tellState();
  redrawAll({ stored: false });
}

function leading({ mean, gap }) {
  const { selectors, solvers } = view.portfolio;
  if (!selectors.length) return {};
  const best = selectors.reduce((a, b) => (mean[b] < mean[a] ? b : a));
  const share = gap[best], loses = share !== null && share < 0;
  return { "best-selector": solvers[best].name, "best-does": loses ? "loses" : "closes", "best-gap": loses ? -share : share };
}

// What follows the choices says them, and everything else that it does not.
const TOLD = { part: " · in grey: as stored, not for the choices above", nothing: " · as stored, not for the choices above" };

function tellState() {
  const root = document.documentElement, says = byId("state"), changed = isChanged();
  root.toggleAttribute("data-changed", changed);
  says.hidden = !changed;
  says.textContent = changed ? stateText() : "";
  for (const node of settled(".as-stored")) node.hidden = changed;
  for (const over of settled("section > .population:first-of-type, section > details > .population:first-of-type")) {
    const { follows } = over.closest("section").dataset;
    over.dataset.base ??= over.textContent;
    const now = follows === "nothing" || follows === "never" ? over.dataset.base : `${view.scores.rows.length} instances · ${stateText()}`;
    over.textContent = changed ? now + (TOLD[follows] ?? "") : over.dataset.base;
  }
}

// What is told of the whole scenario says so where a part of it is chosen, as SBS stays
// the scenario's; who is best in the part stands beside it.
const TOLD_OF = [[" is the best algorithm", " is the best algorithm of the whole scenario"], [": it solves ", "; here it solves "]];
function tellPart({ on, rows, mean, share, vbs, sbs }) {
  const { portfolio } = view, glance = byId("glance"), part = chosen.part !== null;
  glance.dataset.base ??= glance.dataset.follows;
  glance.dataset.follows = part ? "part" : glance.dataset.base;
  for (const node of document.querySelector(".story").childNodes) {
    for (const [all, one] of TOLD_OF) if (node.nodeType === Node.TEXT_NODE) node.data = node.data.replace(one, all).replace(...(part ? [all, one] : []));
  }
  const says = !part ? "" : !rows.length ? "no instance"
    : less(mean[sbs], vbs) ? `SBS is the scenario's; best here: ${portfolio.solvers[portfolio.single(on, rows, mean, share)].name}` : "SBS equals VBS here: there is no gap";
  byId("part-says").textContent = says;
}

// The live columns of the tables: a row names its solver by number, or its baseline.
function fillRows(scores) {
  const { sbs } = scores, ends = scores.gapOf(scores.vbs) === null ? {} : { vbs: 1, sbs: 0 };
  const kinds = { par: (s) => scores.mean[s], solved: (s) => scores.share[s], gap: (s) => scores.gap[s] };
  const baseline = { par: (name) => (name === "vbs" ? scores.vbs : scores.mean[sbs]), gap: (name) => ends[name] ?? null,
    solved: (name) => (name === "vbs" ? scores.solvedByVbs : scores.share[sbs]) };
  for (const row of settled("tr[data-solver], tr[data-baseline]")) {
    const { solver, baseline: name } = row.dataset, s = Number(solver);
    for (const cell of row.querySelectorAll("td[data-column]")) cell.dataset.v = (name ? baseline[cell.dataset.column](name) : kinds[cell.dataset.column](s)) ?? "";
    if (name) continue;
    row.classList.toggle("off", chosen.off.has(s));
    markUse(row, s);
  }
  for (const one of tables.values()) one.heads.forEach((head, at) => { if (head.dataset.now !== undefined) fillColumn(one, at, head.dataset.best); });
  for (const head of settled("th[data-k]")) (head.querySelector("button") ?? head).textContent = `PAR${shown(scores.k)}${head.dataset.unit ?? ""}`;
  for (const one of tables.values()) {
    one.names = one.heads.map((h) => h.textContent);
    if (one.sorted && one.heads[one.sorted.column].dataset.now !== undefined) one.sort();
  }
  for (const name of ["leaders", "algorithms-table"]) {
    const ranked = tables.get(name);
    if (!ranked) continue;
    const place = ({ dataset: { solver, baseline: of } }) => (of ? baseline.par(of) : scores.mean[Number(solver)]) ?? Infinity;
    if (!ranked.sorted) ranked.body.append(...[...ranked.body.rows].sort((a, b) => place(a) - place(b)));
    drawGaps(ranked, scores);
  }
}

// The bars from SBS to VBS, logarithmic below -1; an interval without an end goes on in an arrow.
const hatch = () => svg("svg", { class: "said", "aria-hidden": "true", width: 4, height: 4 }, svg("pattern", { id: "hatch", width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { width: 2, height: 4, class: "stripe" })));
function drawGaps({ node, body, heads }, scores) {
  const at = heads.findIndex((head) => head.dataset.bar === "gap");
  if (at < 0) return;
  if (!byId("hatch")) document.body.append(hatch());
  const known = new Map(isChanged() ? [] : view.portfolio.intervals.map(([s, ...ends]) => [s, ends.map((v, i) => v ?? [-Infinity, Infinity][i])]));
  const of = ({ dataset }) => (dataset.baseline ? null : scores.gap[Number(dataset.solver)]);
  const rows = [...body.rows].filter((row) => of(row) !== null);
  const all = [0, 1, ...rows.map(of), ...[...known.values()].flat()].filter(Number.isFinite);
  const low = bent(Math.min(...all)), high = bent(Math.max(...all)), room = 0.04 * (high - low);
  const x = (v) => `${((100 * (Math.min(high, Math.max(low, bent(v))) - low + room)) / (high - low + 2 * room)).toFixed(2)}%`;
  const rules = () => [0, 1].map((v) => svg("line", { x1: x(v), x2: x(v), y1: 0, y2: "100%", class: "rule" }));
  for (const row of body.rows) {
    const gap = of(row), ends = known.get(Number(row.dataset.solver)), marks = rules();
    const unsure = ends && !row.querySelector("td > .better, td > .worse") ? " unsure" : ""; // by its verdict, as dashed lines and open dots in charts
    if (gap !== null) {
      const [from, to] = [gap, 0].sort((a, b) => a - b);
      marks.push(svg("rect", { x: x(from), width: `${parseFloat(x(to)) - parseFloat(x(from))}%`, y: "22%", height: "56%", class: `value${unsure}` }));
    }
    if (ends && gap !== null) {
      marks.push(svg("line", { x1: x(ends[0]), x2: x(ends[1]), y1: "50%", y2: "50%", class: `interval${unsure}` }),
        ...ends.filter(Number.isFinite).map((v) => svg("line", { x1: x(v), x2: x(v), y1: "32%", y2: "68%", class: "interval" })));
      if (ends[0] === -Infinity) marks.push(svg("text", { x: x(ends[0]), y: "50%", class: "edge", "dominant-baseline": "central" }, "◂"));
      if (ends[1] === Infinity) marks.push(svg("text", { x: x(ends[1]), y: "50%", class: "edge", "text-anchor": "end", "dominant-baseline": "central" }, "▸"));
    }
    if (row.dataset.baseline) marks.push(svg("circle", { cx: x(row.dataset.baseline === "vbs" ? 1 : 0), cy: "50%", r: 4, class: "end" }));
    row.cells[at].replaceChildren(svg("svg", { class: "gap", "aria-hidden": "true" }, ...marks));
  }
  const tools = node.closest(".table").querySelector(".tools"), legend = tools.querySelector(".legend") ?? make("span", { class: "legend" }, make("span", {}, make("i", { class: "unsure" }), " neither better nor worse by mean, test and interval"));
  legend.hidden = !node.querySelector(".unsure");
  tools.querySelector("strong").after(legend);
}

// A live column: its decimals, and the best of those that count, are of the values now.
function fillColumn(table, at, best) {
  const cells = [...table.body.rows].map((row) => row.cells[at]);
  const competes = ({ parentNode: row }) => !row.classList.contains("off") && !row.dataset.baseline;
  const values = cells.filter(competes).map(valueOf).filter((v) => v !== null);
  const enough = decimals(cells.map(valueOf)), places = best ? telling(values, enough, best) : enough, text = (v) => aligned(v, places);
  const end = new Set(values.map(text)).size > 1 && best ? Math[best](...values) : null; // what looks like the best is bold too
  for (const cell of cells) {
    const value = valueOf(cell);
    cell.textContent = text(value);
    cell.classList.toggle("best", end !== null && value !== null && text(value) === text(end) && competes(cell));
  }
}

// A selector that was stored with an algorithm that is hidden now still runs it.
function markUse(row, s) {
  const { portfolio } = view, name = row.cells[0];
  const used = portfolio.uses.filter(([selector, algorithm]) => selector === s && chosen.off.has(algorithm));
  name.querySelector(".use")?.remove();
  if (!used.length) return;
  const words = used.map(([, algorithm, n]) => `${portfolio.solvers[algorithm].name} on ${n}`).join(", ");
  name.append(make("span", { class: "use", title: `It still runs ${words} of ${portfolio.instances.length} instances` }, ` runs hidden ${words}`));
}

function changed(portfolio) {
  remember("k", chosen.k === portfolio.k ? null : chosen.k);
  remember("drop", chosen.drop ? "1" : null);
  remember("off", [...chosen.off].sort((a, b) => a - b).join(","));
  if (portfolio.families) families.remember();
  remember("only", chosen.only?.words);
  recompute();
  const { sbs, vbs, mean, rows } = view.scores;
  say(`PAR${shown(chosen.k)} over ${rows.length} instances: SBS ${portfolio.solvers[sbs].name} ${shown(mean[sbs])}, VBS ${shown(vbs)}`);
}

function openControls(portfolio) {
  const k = byId("k"), drop = byId("drop");
  if (k) {
    k.value = chosen.k;
    const says = (text) => { byId("k-says").textContent = text; k.setAttribute("aria-invalid", Boolean(text)); };
    k.addEventListener("input", () => {
      const v = Number(k.value), fine = v >= 1 && Number.isFinite(v);
      says(fine ? "" : `the penalty is a number from 1 on; ${shown(chosen.k)} is kept`);
      if (fine) { chosen.k = v; changed(portfolio); }
    });
    const asked = state.get("k");
    if (asked !== null && Number(asked) !== chosen.k) says(`the penalty is a number from 1 on, not ${asked}; ${shown(chosen.k)} is taken`);
    drop.checked = chosen.drop;
    drop.addEventListener("change", () => { chosen.drop = drop.checked; changed(portfolio); });
  }
  const boxes = [...document.querySelectorAll("input[data-choose]")];
  const sync = () => {
    boxes.forEach((b) => { b.checked = !chosen.off.has(Number(b.dataset.choose)); });
    byId("choose-all")?.toggleAttribute("hidden", !chosen.off.size); // nothing is to be ticked
  };
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
  byId("reset")?.addEventListener("click", () => { Object.assign(chosen, { k: portfolio.k, drop: false, off: new Set(), family: null, only: null }); if (k) { k.value = chosen.k; drop.checked = false; byId("k-says").textContent = ""; k.setAttribute("aria-invalid", "false"); } sync(); changed(portfolio); });
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
    select.addEventListener("change", () => { view.pair[i] = Number(select.value); remember(key, portfolio.solvers[view.pair[i]].name); refresh(byId("scatter")); tellLates(); });
  });
  const show = byId("show");
  if (show) {
    show.value = view.show;
    show.addEventListener("change", () => { view.show = show.value; remember("show", show.value === "algorithm" ? null : show.value); redrawAll(); });
  }
}

// The panels of the header: one at a time, closed by Escape.
function openPanels() {
  const drops = [...document.querySelectorAll(".drop")];
  for (const drop of drops) {
    drop.addEventListener("toggle", () => { if (drop.open) drops.forEach((d) => { if (d !== drop) d.open = false; }); });
    drop.addEventListener("keydown", (event) => { if (event.key === "Escape" && drop.open) { drop.open = false; drop.querySelector("summary").focus(); } });
  }
  document.addEventListener("click", (event) => { if (!event.target.closest(".drop")) byId("menu").open = false; });
  // The section one is in: the last one that begins above the upper third of the window; at the top, the first one.
  const links = [...document.querySelectorAll("#menu a")], label = document.querySelector("#menu summary");
  const tell = () => {
    const above = links.filter((a) => scrollY > 0 && byId(a.hash.slice(1)).getBoundingClientRect().top < innerHeight / 3);
    const end = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 2;
    const here = (!end && above.at(-1)) || links.find((a) => a.hash.slice(1) === state.get("at")) || above.at(-1) || links[0];
    for (const a of links) if (a === here) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
    if (here && label.textContent !== here.textContent) label.textContent = here.textContent;
  };
  let asked = 0;
  addEventListener("scroll", () => { asked ||= requestAnimationFrame(() => { asked = 0; tell(); }); }, { passive: true });
  tell();
}

function openTheme() {
  const root = document.documentElement, button = byId("theme");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const set = (name) => { if (name) root.dataset.theme = name; button.setAttribute("aria-pressed", dark()); };
  set(["dark", "light"].includes(state.get("theme")) ? state.get("theme") : null);
  button.addEventListener("click", () => { set(dark() ? "light" : "dark"); remember("theme", root.dataset.theme); });
}

// Jumps within the page are in the address beside the choices, so that Back undoes them.
function openLinks() {
  for (const link of document.querySelectorAll("a[href^='#']")) {
    link.addEventListener("click", (event) => {
      const at = link.getAttribute("href").slice(1);
      event.preventDefault();
      byId("menu").open = false;
      if (state.get("at") !== at) { state.set("at", at); history.pushState(null, "", address()); }
      jump(at);
      tellLates();
      showOnly(at, link.dataset.rows?.split(",").map(Number) ?? null);
    });
  }
  addEventListener("hashchange", () => { // Back, or an address that was typed
    const now = choicesIn(location.hash), at = now.get("at");
    const instance = now.get("instance"), asked = view.portfolio?.instances.indexOf(instance);
    if (location.hash.includes("=") && choices(now) !== choices(state)) return location.reload();
    if (at) state.set("at", at); else state.delete("at");
    if (instance !== null) state.set("instance", instance); else state.delete("instance");
    if (asked >= 0 && asked !== view.instance) tellInstance(asked);
    if (at) jump(at); else scrollTo(0, 0);
  });
}

function jump(at) {
  const target = byId(at);
  target?.querySelector(":scope > details")?.setAttribute("open", "");
  for (let node = target; node; node = node.parentElement) if (node.matches("details")) node.open = true;
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

// On paper there is what is open, drawn as wide as the page.
const LONG = 30; // rows
const GUTTER = 12; // px between columns of rows
function openPrint() {
  let pieces = [];
  addEventListener("beforeprint", () => {
    paper = PAPER;
    for (const figure of specs.keys()) if (figure.checkVisibility()) refresh(figure);
    document.documentElement.toggleAttribute("data-paper", true);
    const data = [...document.querySelectorAll("table.data")].filter((table) => table.checkVisibility());
    data.forEach((table) => table.classList.toggle("long", table.tBodies[0].rows.length > LONG));
    pieces = data.filter((t) => t.scrollWidth > PAPER || t.matches(".long")).flatMap((t) => inPieces(t, 0.9 * PAPER)); // a piece is wider than its columns were
    // A long table that leaves half of the page empty goes on beside itself.
    for (const piece of pieces) {
      const table = piece.firstChild, times = Math.floor(PAPER / (table.offsetWidth + GUTTER));
      if (times > 1 && table.matches(".long")) piece.style.columns = times;
    }
  });
  addEventListener("afterprint", () => {
    paper = 0;
    pieces.forEach((piece) => { piece.parentNode.classList.remove("cut"); piece.remove(); });
    document.documentElement.toggleAttribute("data-paper", false);
    for (const figure of specs.keys()) figure.stale = true;
    redrawAll();
  });
}

// Find: a page, a solver or an instance, as it is chosen from the list or by a part that it has alone.
function openPlaces() {
  const find = byId("find"), list = byId("pages"), { portfolio } = view;
  if (!list) return find.remove(); // a page that stands alone, of a competition or of what changed
  const known = [...list.options].map((page) => [page.value, () => { location.href = page.dataset.to; }]);
  known.push(...(portfolio?.solvers ?? []).map(({ name }, s) => [name, () => showSolver(s)]), ...(portfolio?.instances ?? []).map((name, i) => [name, () => showInstance(i)]));
  find.addEventListener("focus", () => { // thousands of names wait until they are asked for
    const there = new Set([...list.options].map((option) => option.value));
    list.append(...known.filter(([name]) => !there.has(name)).map(([name]) => make("option", { value: name })));
  }, { once: true });
  const exact = () => known.find(([name]) => name === find.value);
  find.addEventListener("input", (event) => { if (event.inputType === undefined || event.inputType === "insertReplacementText") exact()?.[1](); });
  find.addEventListener("keydown", (event) => {
    const asked = find.value.toLowerCase(), found = known.filter(([name]) => name.toLowerCase().includes(asked));
    if (event.key !== "Enter" || !asked) return;
    if (exact() || found.length === 1) return (exact() ?? found[0])[1]();
    const says = found.length ? `${found.length} names hold it` : "nothing is called so";
    say(`${find.value}: ${says}`);
    find.setCustomValidity(says);
    find.reportValidity();
    find.setCustomValidity("");
  });
}

// The row of a solver or an instance, unfolded, in the middle, and marked.
function showRow(row) {
  if (!row) return false;
  for (let node = row; node; node = node.parentElement) if (node.matches("details")) node.open = true;
  row.hidden = false;
  row.scrollIntoView({ block: "center" });
  document.querySelector(".found")?.classList.remove("found");
  row.classList.add("found");
  const head = row.cells[0];
  head.tabIndex = -1;
  head.focus({ preventScroll: true });
  say(row.textContent);
  return true;
}
const showSolver = (s) => showRow(document.querySelector(`:is(#leaders, #algorithms-table) tr[data-solver="${s}"]`));

// The index: every scenario by every selector, under the metric and protocol that is chosen.
function openMatrix() {
  const data = embedded("scores"), metric = byId("metric"), protocol = byId("protocol");
  if (!data || !metric) return;
  const table = tables.get("matrix-table"), rows = table.original;
  for (const [select, key] of [[metric, "metric"], [protocol, "protocol"]]) {
    if ([...select.options].some((o) => o.value === state.get(key))) select.value = state.get(key);
  }
  const fill = () => {
    const { label, better, about } = data.metrics[metric.value], values = data.values[protocol.value]?.[metric.value] ?? [];
    const n = data.n[protocol.value], first = metric.selectedIndex + protocol.selectedIndex === 0;
    if (first && !table.changed) return;
    table.changed = true;
    table.node.tFoot?.rows[1]?.toggleAttribute("hidden", !first); // the test is of what is stored
    table.node.dataset.protocol = protocol.value;
    const columns = table.heads.length - 1, places = decimals(values.flat());
    for (let c = 0; c < columns; c++) {
      const own = rows.map((_, r) => values[r]?.[c] ?? null);
      rows.forEach((row, r) => { const cell = row.cells[c + 1]; cell.dataset.v = own[r] ?? ""; cell.textContent = aligned(own[r], places); });
      table.heads[c + 1].dataset.help = `${label} of ${table.names[c + 1]}: ${about}`;
    }
    rows.forEach((row, r) => {
      const known = (values[r] ?? []).filter((v) => v !== null), end = known.length > 1 ? Math[better](...known) : null;
      row.dataset.n = n[r] ?? "";
      [...row.cells].slice(1).forEach((cell, c) => cell.classList.toggle("best", end !== null && values[r][c] === end));
    });
    const title = `${label[0].toUpperCase()}${label.slice(1)} of every selector. The best is bold; a stronger colour is better`;
    const foot = table.node.tFoot?.rows[0], counts = table.heads.slice(1).map((_, c) => values.filter((row) => (row?.[c] ?? null) !== null).length), most = Math.max(...counts);
    for (const [c, count] of foot ? counts.entries() : []) { // the means of those that most scenarios have
      const mean = count === most && count ? values.reduce((sum, row) => sum + (row?.[c] ?? 0), 0) / count : null, cell = foot.cells[c + 1];
      cell.dataset.v = mean ?? "";
      cell.textContent = aligned(mean, places);
    }
    const means = foot ? [...foot.cells].slice(1).map(valueOf).filter((v) => v !== null) : [], lead = new Set(means).size > 1 ? Math[better](...means) : null;
    for (const cell of foot ? [...foot.cells].slice(1) : []) cell.classList.toggle("best", lead !== null && valueOf(cell) === lead);
    table.node.caption.textContent = title;
    table.node.closest(".table").querySelector("strong").textContent = title;
    byId("matrix-says").textContent = `${better === "max" ? "larger" : "smaller"} is better · protocol ${protocol.value}`;
    table.sort();
    tint();
  };
  // The matrix is a map: from the least value of all, where more is better at least 0, to the best.
  const tint = () => {
    const { better } = data.metrics[metric.value], sign = better === "max" ? 1 : -1;
    const cells = rows.flatMap((row) => [...row.cells].slice(1)), known = cells.map(valueOf).filter((v) => v !== null).map((v) => sign * v);
    const low = sign > 0 ? Math.max(0, Math.min(...known)) : Math.min(...known), high = Math.max(...known);
    for (const cell of cells) {
      const v = valueOf(cell), share = v === null || !(high > low) ? 0 : (sign * v - low) / (high - low);
      cell.style.background = share > 0 ? `color-mix(in srgb, var(--bar) ${Math.round(65 * share)}%, transparent)` : "";
    }
  };
  for (const [select, key] of [[metric, "metric"], [protocol, "protocol"]]) {
    select.addEventListener("change", () => { remember(key, select.selectedIndex ? select.value : null); fill(); say(byId("matrix-says").textContent); });
  }
  fill();
  tint();
}

// What is open and out of sight is not laid out (page.css): it is as high as it was when it opened.
function measure(folds, open = folds.filter((fold) => fold.open).map((fold) => fold.parentNode)) {
  for (const section of open) section.classList.remove("measured");
  const heights = open.map((section) => section.offsetHeight);
  open.forEach((section, at) => { section.style.containIntrinsicSize = `auto ${heights[at]}px`; section.classList.add("measured"); });
}
function openFolds() {
  const folds = [...document.querySelectorAll("#more > section > details")], turned = new Set();
  for (const fold of folds) {
    fold.addEventListener("toggle", () => {
      if (!turned.size) requestAnimationFrame(() => { measure([...turned]); turned.clear(); });
      turned.add(fold);
    });
  }
  measure(folds);
  measure([], [...document.querySelectorAll("main > section")]);
}

function begin() {
  openTheme();
  openLinks();
  openPrint();
  openTables();
  openPanels();
  openMatrix();
  for (const [id, spec] of Object.entries(embedded("charts") ?? {})) { chart(id, () => spec, roomOf(id, spec)); byId(id).classList.add("stored"); }
  const data = embedded("data");
  if (data) {
    const portfolio = (view.portfolio = new Portfolio(data));
    readChoices(portfolio);
    view.scores = portfolio.scores(chosen);
    openControls(portfolio);
    openChoosers(portfolio);
    openInstance(portfolio);
    openLates();
    for (const [id, spec] of Object.entries(LIVE)) chart(id, () => { const found = spec(); return found && { ...found, live: true }; });
    recompute();
  }
  openPlaces();
  let width = byId("content").clientWidth;
  new ResizeObserver(([entry]) => { // the phone is turned, the window is drawn wider
    const now = entry.target.clientWidth;
    if (now > 0 && now !== width) { width = now; widths = new WeakMap(); redrawAll(); }
  }).observe(byId("content"));
  openFolds();
  if (state.has("at")) jump(state.get("at"));
  document.documentElement.dataset.ready = "1";
}

begin();
