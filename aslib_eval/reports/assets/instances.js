"use strict";
// Instances: the table of all runs, one instance in full, two solvers side by side, and
// the map of who wins where. All are made when they are seen first.
// details: see aslib_eval/reports/sections/instances.py

let held = null;
const detailsOf = () => (held ??= embedded("details") ?? {}); // read when it is asked for

const FIRST = 30, MORE = 100; // rows that are drawn, as not all are looked at

// A table whose rows are data: {values, i: instance, best, from: first column of those
// that are compared, n, tint: [share], open: what its name does}.
const breaking = (name) => name.split(/(?<=[-_./])/).flatMap((part) => [part, make("wbr")]); // where long names may
class LongTable extends Table {
  constructor(holder, { id, caption, columns, tools = [] }) {
    const heads = columns.map(({ title, about, words }) => make("th", { scope: "col", "data-help": about ?? "", class: words ? "words" : "" }, ...breaking(title)));
    const node = make("table", { class: "data", id }, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), make("tbody"));
    const scroll = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, node);
    holder.append(make("div", { class: "table" }, make("div", { class: "tools" }, make("strong", { "aria-hidden": "true" }, caption), ...tools), scroll));
    super(node);
    this.more = make("button", { type: "button", class: "more" });
    this.more.addEventListener("click", () => { this.most += MORE; this.draw(); });
    scroll.after(this.more);
    this.most = FIRST;
    walkCells(scroll);
  }

  fill(data, caption) {
    this.data = data;
    this.places = this.heads.map((_, c) => decimals(data.flatMap(({ values, from }) => (from <= c ? values.slice(from) : [values[c]]))));
    for (const node of [this.node.caption, this.node.closest(".table").querySelector("strong")]) node.textContent = caption;
    this.filter.toggleAttribute("hidden", data.length <= FEW && !this.words);
    this.draw();
  }

  // What the filter lets through, in the order that is chosen.
  seen() {
    const { tests, unknown } = conditions(this.words, this.names);
    const found = this.data.filter(({ values, i }) => (this.only?.has(i) ?? true) && tests.every((holds) => holds({ at: (c) => values[c], text: values.join(" ") })));
    this.all.hidden = !this.only;
    this.told = tests.length || this.only ? `${found.length} of ${this.data.length}${found.length ? "" : unknown.map((w) => `; no column is called ${w.split(/[<>=]/)[0]}`).join("")}` : "";
    if (!this.sorted) return found;
    const { column, way } = this.sorted;
    return [...found].sort(({ values: { [column]: a } }, { values: { [column]: b } }) => (a === null || b === null ? compare(a, b) : way * compare(a, b)));
  }

  draw() {
    if (!this.data) return; // while it is made
    const seen = this.seen(), left = seen.length - Math.max(this.most, this.only?.size ?? 0);
    this.heads.forEach((h, at) => (at === this.sorted?.column ? h.setAttribute("aria-sort", this.sorted.way > 0 ? "ascending" : "descending") : h.removeAttribute("aria-sort")));
    this.count.textContent = this.told;
    this.body.replaceChildren(...seen.slice(0, seen.length - Math.max(0, left)).map((row) => this.row(row)));
    this.narrow();
    this.more.hidden = left <= 0;
    this.more.textContent = left > MORE ? `${MORE} more of ${left}` : `${left} more`;
    this.sifted?.();
  }

  row({ values: [name, ...values], i, best, from, n, tint, open }) {
    const to = make("a", { href: i === undefined ? "#" : instanceAddress(i) }, name);
    to.addEventListener("click", (event) => { event.preventDefault(); if (open) open(); else showInstance(i, this.node); });
    return make("tr", n === undefined ? {} : { "data-n": n }, make("th", { scope: "row", title: name }, to), ...values.map((value, at) => {
      const column = at + 1, words = this.heads[column].classList.contains("words"), is = best !== undefined && best !== null && column >= from && value === best;
      const cell = make("td", { class: `${is ? "best" : ""}${words ? "words" : ""}` }, words ? value ?? "" : aligned(value, this.places[column]));
      if (!words) cell.dataset.v = value ?? "";
      if (tint?.[column]) cell.style.background = `color-mix(in srgb, var(--bar) ${Math.round(60 * tint[column])}%, transparent)`;
      const run = this.logs?.[column] ?? null, log = run !== null && logOf(i, run); // of what is not solved, too
      if (log) cell.append(" ", log);
      return cell;
    }));
  }

  sort() { this.draw(); }

  sift() { this.draw(); }

  rows() {
    return [[...this.names, "n", "over"], ...this.seen().map(({ values, n }) => [...values, n, stateText()])];
  }
}

const longs = new Map();
function longTable(holder, { rows, caption, ...made }) {
  if (!holder.firstChild) longs.set(made.id, new LongTable(holder, { caption, ...made }));
  const found = longs.get(made.id);
  found.fill(rows, caption);
  return found;
}

// What is made when its fold is opened first, and follows the choices from then on.
const lates = { "all-runs": tellRuns, side: tellSide, "by-family": (holder) => tellFamilies(holder) };
function tellLates() {
  for (const [id, tell] of Object.entries(lates)) {
    const holder = byId(id);
    if (holder?.closest("details").open) tell(holder);
  }
}
function openLates() {
  for (const id of Object.keys(lates)) byId(id)?.closest("details").addEventListener("toggle", tellLates);
}

// The algorithms, then the selectors, the best first as the page began.
function byMean() {
  const { portfolio } = view, mean = (portfolio.mean ??= portfolio.scores({ k: portfolio.k, drop: false, off: new Set() }).mean);
  return ["algorithms", "selectors"].flatMap((kind) => [...portfolio[kind]].sort((a, b) => mean[a] - mean[b]));
}

// The address of a run's log, by the template that the report was made with.
const SEGMENT = (text) => encodeURIComponent(text).replaceAll("%2F", "/");
function logOf(i, s) {
  const { portfolio } = view, solver = portfolio.solvers[s], names = { instance: portfolio.instances[i].replace(/ #\d+$/, ""), solver: solver.name, scenario: portfolio.scenario };
  if (!portfolio.link || solver.kind !== "algorithm") return null;
  const to = portfolio.link.replace(/\{(\w+)\}/g, (_, name) => SEGMENT(names[name]));
  return make("a", { href: to, class: "log", rel: "noreferrer", "aria-label": `log of ${solver.name} on ${names.instance}` }, "log");
}

// All that tie, by name; of many their number.
const bestNames = (best) => (best.length > 3 ? `${best.length} tied` : best.map((s) => view.portfolio.solvers[s].name).join(", "));

// Every instance by every solver: the same rows whatever is chosen, the hardest first.
let runs = null;
function allRuns() {
  if (runs) return runs;
  const { portfolio } = view, { algorithms, solvers } = portfolio, order = byMean(), named = Object.entries(portfolio.families ?? {}).filter(([, { names }]) => names.length > 1);
  const columns = [{ title: "instance" }, ...named.map(([title]) => ({ title, words: true })),
    ...(portfolio.timed ? [{ title: "solved by", about: "algorithms that solve it" }] : []),
    { title: "best", about: `${unit()} of the best algorithm` }, { title: "by", about: "the best algorithm, or all that tie", words: true },
    ...order.map((s) => ({ title: solvers[s].name, about: `${unit()}; none where it does not solve it` }))];
  const rows = portfolio.instances.map((name, i) => {
    const times = order.map((s) => portfolio.time(s, i)), n = algorithms.filter((s) => portfolio.solved[s][i] > 0).length;
    const best = portfolio.best(algorithms.filter((s) => portfolio.time(s, i) !== null), (s) => portfolio.time(s, i));
    const least = best.length ? portfolio.time(best[0], i) : null;
    const own = times.map((t) => (t === null ? null : portfolio.own(t)));
    return { i, least, solving: n, best: least === null ? null : portfolio.own(least), from: columns.length - order.length, n: 1,
      values: [name, ...named.map(([, { names, of }]) => (of[i] === null ? null : names[of[i]])), ...(portfolio.timed ? [n] : []), least === null ? null : portfolio.own(least), bestNames(best), ...own] };
  });
  if (portfolio.timed) rows.sort((a, b) => a.solving - b.solving || (b.least ?? 0) - (a.least ?? 0));
  const logs = columns.map((_, c) => order[c - columns.length + order.length]);
  return (runs = { columns, rows, logs });
}

// The rows that a filter of the table of runs lets through: what the page is computed of.
function rowsOf(words) {
  const { columns, rows } = allRuns(), { tests } = conditions(words, columns.map(({ title }) => title));
  return new Set(rows.filter(({ values }) => tests.every((holds) => holds({ at: (c) => values[c], text: values.join(" ") }))).map(({ i }) => i));
}

function tellRuns(holder) {
  const { columns, rows, logs } = allRuns(), there = longs.get("runs-table");
  if (there) return;
  const box = make("input", { type: "checkbox", id: "only" }), tool = make("label", {}, box, " compute the page for these");
  const table = longTable(holder, { id: "runs-table", caption: `All runs, ${unit()}${view.portfolio.timed ? ", the hardest instances first" : ""}`, columns, rows, tools: [tool] });
  Object.assign(table, { logs });
  box.checked = chosen.only !== null;
  if (chosen.only && !table.words) { table.filter.value = table.words = chosen.only.words; }
  const take = () => {
    tool.hidden = !table.words;
    const words = box.checked && table.words ? table.words : null;
    if (words === (chosen.only?.words ?? null)) return;
    chosen.only = words && { words, rows: rowsOf(words) };
    changed(view.portfolio);
  };
  table.sifted = take;
  box.addEventListener("change", take);
  byId("reset").addEventListener("click", () => { box.checked = false; });
  table.draw();
}

// The rows that a number counts, in the table of a section: all that is shown there; null for all again.
function showOnly(section, rows) {
  const node = byId(section)?.querySelector("table.data"), table = node && (tables.get(node.id) ?? longs.get(node.id));
  if (!table || (!rows && !table.only)) return;
  table.show(rows && new Set(rows));
  if (!rows) return;
  node.closest(".table").scrollIntoView();
  say(table.count.textContent);
}

// Two solvers side by side: who gained what, and on which instances.
// Every difference of the recorded times counts, where «faster» of diff is beyond their noise.
const WAYS_APART = [["gained", "gained", "Only {b} solves them"], ["lost", "lost", "Only {a} solves them"], ["faster", "less time", "{b} takes less time"], ["slower", "more time", "{a} takes less time"], ["equal", "same time", "Both take the same time"], ["neither", "neither", "Neither solves them"]];
const OF_QUALITY = { faster: ["better", "{b} is better"], slower: ["worse", "{a} is better"], equal: ["equal", "Both are as good"] };

function apart(a, b) {
  const { portfolio, scores } = view, found = Object.fromEntries(WAYS_APART.map(([way]) => [way, []]));
  for (const i of scores.rows) {
    const [x, y] = [portfolio.time(a, i), portfolio.time(b, i)];
    const way = x === null ? (y === null ? "neither" : "gained") : y === null ? "lost" : y < x ? "faster" : y > x ? "slower" : "equal";
    found[way].push(i);
  }
  return found;
}

function tellSide(holder) {
  const { portfolio, pair: [a, b] } = view, found = apart(a, b), names = { a: portfolio.solvers[a].name, b: portfolio.solvers[b].name };
  const ways = WAYS_APART.filter(([way]) => found[way].length).map(([way, ...told]) => [way, ...(portfolio.timed ? told : OF_QUALITY[way])]);
  const asked = state.get("way"), way = ways.some(([of]) => of === asked) ? asked : ways[0]?.[0];
  const choose = ways.map(([of, word, says]) => {
    const button = make("button", { type: "button", "data-way": of, "aria-pressed": of === way, title: says.replace(/\{(.)\}/g, (_, one) => names[one]) }, `${word} ${found[of].length}`);
    button.addEventListener("click", () => { remember("way", of); tellSide(holder); holder.querySelector(`[data-way=${of}]`).focus(); });
    return button;
  });
  const [, , says] = ways.find(([of]) => of === way) ?? [];
  if (!says) return holder.replaceChildren();
  const both = portfolio.timed && ["faster", "slower", "equal"].includes(way); // solve it
  const ratio = (x, y) => (x > 0 && y > 0 ? x / y : null), size = ({ values: [, x, y] }) => Math.abs(portfolio.timed ? Math.log((x || 1e-9) / (y || 1e-9)) : x - y) || 0;
  const rows = found[way].map((i) => {
    const [x, y] = [a, b].map((s) => portfolio.time(s, i)), own = [x, y].map((v) => (v === null ? null : portfolio.own(v)));
    return { i, n: 1, values: [portfolio.instances[i], ...own, ...(both ? [ratio(x, y)] : [])] };
  });
  rows.sort((p, q) => size(q) - size(p));
  const columns = [{ title: "instance" }, ...[names.a, names.b].map((title) => ({ title, about: unit() })), ...(both ? [{ title: "ratio", about: `time of ${names.a} / that of ${names.b}` }] : [])];
  const line = make("p", { class: "ways" }, `From ${names.a} to ${names.b}: `, ...choose.flatMap((button) => [button, " "]));
  holder.replaceChildren();
  longTable(holder, { id: "side-table", caption: `${says.replace(/\{(.)\}/g, (_, one) => names[one])} (${rows.length}), ${unit()}`, columns, rows });
  longs.get("side-table").logs = [null, a, b];
  longs.get("side-table").draw();
  holder.prepend(line);
}

// One instance: what every solver does on it, the best first.
function tellInstance(i) {
  const { portfolio } = view, { solvers } = portfolio, details = detailsOf();
  const worth = (s) => portfolio.cost(s, i, chosen.k);
  const order = solvers.map((_, s) => s).sort((a, b) => worth(a) - worth(b));
  const own = solvers.map((_, s) => (portfolio.time(s, i) === null ? null : portfolio.own(portfolio.time(s, i)))), places = decimals(own);
  view.instance = i;
  const rows = order.map((s) => {
    const time = portfolio.time(s, i), n = portfolio.timed && portfolio.solved[s][i] < 1, log = logOf(i, s);
    return make("tr", { "data-runs": s }, make("th", { scope: "row" }, solvers[s].name),
      make("td", { "data-v": own[s] ?? "" }, aligned(own[s], places)), ...(portfolio.timed ? [make("td", { class: "words" }, n ? (time === null ? "not solved" : `${percent(portfolio.solved[s][i])} solved`) : "solved")] : []), make("td", { class: "words" }, solvers[s].kind, ...(log ? [" ", log] : [])));
  });
  byId("one-instance").tBodies[0].replaceChildren(...rows);
  byId("which").value = i;
  byId("one-instance").caption.textContent = `Every solver on ${portfolio.instances[i]}`;
  byId("more-of-one").replaceChildren(...[stepsOf(i, order), featuresOf(i)].filter(Boolean));
  if (specs.has(byId("trajectory"))) { byId("trajectory").hidden = !Object.values(details.curves).some((of) => of[i]); refresh(byId("trajectory")); }
  return order;
}

function smallTable(id, caption, heads, rows) {
  const head = make("tr", {}, ...heads.map(([text, words]) => make("th", { scope: "col", class: words ? "words" : "" }, text)));
  const body = rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell, at) => make("td", { class: heads[at + 1][1] ? "words" : "" }, cell))));
  return make("div", { class: "table" }, make("div", { class: "tools" }, make("strong", { "aria-hidden": "true" }, caption)),
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, make("table", { id }, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...body))));
}

// The schedules, step by step, and what each selector loses here, by cause.
function stepsOf(i, order) {
  const { portfolio } = view, { names, steps, lost, causes } = detailsOf(), timed = portfolio.timed ? portfolio.unit && ` ${portfolio.unit}` : "";
  const of = order.filter((s) => steps?.[s]), losses = (s) => lost[s]?.[i] ?? [], total = (s) => losses(s).reduce((sum, [, loss]) => sum + loss, 0), totals = of.map(total), least = Math.min(...totals.map(Math.abs).filter(Boolean));
  const usual = decimals(totals), places = usual === null || least === Infinity ? usual : Math.max(usual, Math.min(4, -exponent(least))); // the least is not 0
  const rows = of.map((s) => {
    const own = steps[s][i] ?? [], idle = own.filter(([, , end]) => !end).map(([name]) => names[name]);
    const ran = own.filter(([, , end]) => end).map(([name, time, end]) => `${names[name]}${portfolio.timed ? ` ${shown(time)}${timed}` : ""}${end > 1 ? " (solves)" : ""}`);
    const said = [ran.join(" → "), idle.length && `not run: ${idle.join(", ")}`].filter(Boolean).join("; ");
    return [portfolio.solvers[s].name, aligned(total(s), places), losses(s).map(([cause, loss]) => `${causes[cause]} ${shown(loss)}`).join(", ") || "nothing", said || "no answer"];
  });
  const lostIn = portfolio.timed ? `PAR${shown(portfolio.k)}${portfolio.unit && ` [${portfolio.unit}]`}` : portfolio.measure;
  return rows.length ? smallTable("one-schedule", "What the selectors do, and what they lose against VBS (as stored)", [["selector"], [`lost, ${lostIn}`], ["by cause", true], ["steps", true]], rows) : null;
}

// The features in which an instance is least like the others.
function featuresOf(i) {
  const { features, medians, odd } = detailsOf();
  if (!odd?.[i].length) return null;
  const place = (percent) => (percent > 50 ? `larger than on ${percent} %` : `smaller than on ${100 - percent} %`);
  const rows = odd[i].map(([feature, value, percent]) => [features[feature], place(percent), shown(value), shown(medians[feature])]);
  return smallTable("one-features", `Features in which it is least like the other ${view.portfolio.instances.length - 1} instances`, [["feature"], ["place among the instances", true], ["value"], ["median"]], rows);
}

function trajectory() {
  const { portfolio, instance } = view, curves = Object.entries(detailsOf().curves ?? {}).filter(([, of]) => of[instance]).map(([s, of]) => [portfolio.solvers[s], of[instance]]);
  if (!curves.length) return null;
  const values = curves.flatMap(([, line]) => line.map(([, v]) => v));
  return { title: `Trajectories on ${portfolio.instances[instance]}`, about: "The first run of each algorithm, where it improves.", height: 300,
    population: `${portfolio.instances[instance]} · as in the files`, x: timeAxis(`time [${portfolio.unit || "unit not stated"}]`, curves.flatMap(([, line]) => line.map(([t]) => t))), y: rangeOf(portfolio.timed ? "value" : portfolio.measure, values),
    marks: curves.map(([solver, points]) => ({ type: "line", color: "muted", ...solver, step: true, points })) };
}

const instanceAddress = (i) => `#${new URLSearchParams({ at: "instance", instance: view.portfolio.instances[i] })}`;

// Back leads to where one came from: the section that the node is in.
function showInstance(i, node = null) {
  const { portfolio } = view, { solvers } = portfolio, name = portfolio.instances[i];
  const from = node?.closest("section:not(#instance)")?.id;
  if (state.get("instance") !== name || state.get("at") !== "instance") {
    if (from) { state.set("at", from); history.replaceState(null, "", address()); }
    state.set("instance", name);
    state.set("at", "instance");
    history.pushState(null, "", address());
  }
  const order = tellInstance(i);
  jump("instance");
  say(`${name}: ${order.slice(0, 3).map((s) => `${solvers[s].name} ${shown(portfolio.own(portfolio.time(s, i)))}`).join(", ")}`);
}

function openInstance(portfolio) {
  const which = byId("which"), fold = which?.closest("details");
  if (!which) return;
  which.append(...portfolio.instances.map((name, i) => make("option", { value: i }, name)));
  which.addEventListener("change", () => showInstance(Number(which.value)));
  const asked = portfolio.instances.indexOf(state.get("instance"));
  view.instance = Math.max(0, asked);
  fold.addEventListener("toggle", () => { if (fold.open && !byId("one-instance").tBodies[0].rows.length) tellInstance(view.instance); });
  if (asked >= 0 || fold.open) tellInstance(view.instance);
}

// The map: near to each other are instances with like features; who is best on each.
function winners() {
  const { portfolio, scores } = view, { map } = detailsOf();
  if (!map || !scores.rows.length) return null;
  const best = (i) => (portfolio.timed && !scores.on.some((s) => portfolio.solved[s][i] > 0) ? [] : portfolio.best(scores.on, (s) => portfolio.cost(s, i, scores.k)));
  const of = new Map(), tied = [], nobody = [];
  for (const i of scores.rows) {
    const who = best(i);
    if (who.length === 1) of.set(who[0], [...(of.get(who[0]) ?? []), i]); else (who.length ? tied : nobody).push(i);
  }
  const says = (i) => `best is ${bestNames(best(i))}, ${shown(portfolio.own(portfolio.time(best(i)[0], i)))} ${portfolio.timed ? portfolio.unit : portfolio.measure}`;
  const points = (rows, said = says) => rows.map((i) => [...map.at[i], `${portfolio.instances[i]}: ${said(i)}`, i]);
  const order = [...of].sort(([a, p], [b, q]) => q.length - p.length || a - b);
  const marks = order.map(([s, rows]) => ({ type: "dots", color: "muted", opacity: 0.8, ...portfolio.solvers[s], name: `${portfolio.solvers[s].name} (${rows.length})`, points: points(rows) }));
  if (tied.length) marks.push({ type: "dots", color: "faint", symbol: "ring", opacity: 1, name: `several tie (${tied.length})`, points: points(tied) });
  if (nobody.length) marks.push({ type: "dots", color: "error", symbol: "times", opacity: 1, name: `solved by none (${nobody.length})`, points: points(nobody, () => "nobody solves it") });
  const axis = (label, at) => rangeOf(label, map.at.map((p) => p[at]));
  const share = Math.round(100 * (map.shares[0] + map.shares[1]));
  return { title: "Where each algorithm is best", about: `Each dot is an instance; click it to see the instance. Dots that are close to each other have similar features (two principal components of the features' ranks, ${share} % of their variance).`,
    height: 440, maxWidth: 900, population: population(), x: axis("first component", 0), y: axis("second component", 1), marks };
}

Object.assign(LIVE, { winners, trajectory });
