"use strict";
// Charts that follow the controls: cactus, ECDF, scatter, hardness.

const view = { portfolio: null, scores: null, show: "algorithm", pair: null, instance: 0 };
const unit = () => view.portfolio.measure;
const population = () => `n = ${view.scores.rows.length} · ${stateText()}`;

// What the reader has changed: one state, which everything that is recomputed says.
const chosen = { k: 10, drop: false, off: new Set(), family: null, only: null, // the instances of a family, those that a filter lets through
  get part() {
    if (!this.family && !this.only) return null;
    const rows = this.family ? families.of(this.family) : view.portfolio.instances.map((_, i) => i);
    return this.only ? rows.filter((i) => this.only.rows.has(i)) : rows;
  } };
const isChanged = () => Boolean(view.portfolio) && (chosen.k !== view.portfolio.k || chosen.drop || chosen.off.size > 0 || chosen.part !== null);

function stateText() {
  const { portfolio, scores } = view;
  if (!isChanged()) return portfolio.protocol;
  const part = (some, all, what) => some !== all && `${some} of ${all} ${what}`;
  const changes = [chosen.k !== portfolio.k && `penalty × ${shown(chosen.k)}`, part(scores.rows.length, portfolio.instances.length, "instances"),
    part(scores.on.length, portfolio.algorithms.length, "algorithms")].filter(Boolean);
  if (chosen.only) changes.unshift(`instances with “${chosen.only.words}”`);
  if (chosen.family) changes.unshift(`${chosen.family.attribute} = ${families.name(chosen.family)}`);
  return `${portfolio.protocol}, changed: ${changes.join(", ") || "unsolvable instances hidden, of which there are none"}`;
}

// What was not computed for it says so.
const asStored = () => (isChanged() ? " · as stored, not for the choices above" : "");

// Who is drawn: the chosen algorithms or the selectors, each as in all charts.
function cast() {
  const { portfolio, scores, show } = view;
  const all = (show === "selector" ? portfolio.selectors : scores.on).slice();
  const by = (s) => scores.mean[s] ?? Infinity;
  all.sort((a, b) => by(a) - by(b) || a - b);
  // Whoever has a colour keeps it, whatever is chosen.
  return all.map((s) => ({ s, color: "muted", ...portfolio.solvers[s], value: (instance) => portfolio.time(s, instance) }));
}

function virtual() {
  const { portfolio, scores } = view;
  const best = (i) => {
    const times = scores.on.map((s) => portfolio.time(s, i)).filter((t) => t !== null);
    return times.length ? Math.min(...times) : null;
  };
  const vbs = { name: "VBS", color: "ink", dash: "5 3", value: best };
  if (view.show !== "selector") return [vbs];
  return [vbs, { name: "SBS", color: "faint", dash: "2 3", value: (i) => portfolio.time(scores.sbs, i) }];
}

function solvedTimes(one) {
  return view.scores.rows.map(one.value).filter((t) => t !== null).sort((a, b) => a - b);
}

function distributions(axes) {
  const { scores, portfolio } = view;
  const curves = [...cast(), ...virtual()].map((one) => ({ one, times: solvedTimes(one) }));
  const others = curves.filter((c) => c.one.color === "muted").length;
  const all = curves.flatMap((c) => c.times);
  if (!all.length) return null;
  const best = curves[0];
  const about = best && portfolio.timed ? `${best.one.name} solves ${best.times.length} of ${scores.rows.length}, the virtual best ${curves.find((c) => c.one.name === "VBS").times.length}.` : "";
  const note = others ? ` ${others} more in grey: point at a line to see its name.` : "";
  return axes(curves, all, { about: about + note, population: population(), measure: unit() }, portfolio, scores);
}

const cactus = () => distributions((curves, all, more, portfolio, scores) => ({
  title: "Cactus: number of instances solved within a time", ...more, height: 330,
  x: { label: "instances solved", kind: "linear", whole: true, low: 0, high: Math.max(1, ...curves.map((c) => c.times.length)) },
  y: timeAxis(more.measure, all),
  marks: curves.map(({ one, times }) => ({ type: "line", ...one, points: times.map((t, i) => [i + 1, t]) })),
}));

const ecdf = () => distributions((curves, all, more, portfolio, scores) => ({
  title: portfolio.timed ? "ECDF: share solved within a time" : `Share of instances whose ${unit()} is at least as good as on the axis`, ...more, height: 330,
  x: portfolio.timed ? timeAxis(more.measure, [...all, portfolio.cutoff]) : rangeOf(more.measure, all.map((c) => portfolio.own(c))),
  y: { label: "share of instances", kind: "linear", low: 0, high: 1 },
  marks: curves.map(({ one, times }) => ({ type: "line", ...one, step: true, points: stairs(times, scores.rows.length, portfolio.timed ? portfolio.cutoff : null).map(([t, share]) => [portfolio.own(t), share]) })),
}));

function rangeOf(label, values) {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return { label, kind: "linear", low, high };
}

function stairs(times, n, end) {
  const points = [];
  times.forEach((t, i) => { if (i + 1 === times.length || times[i + 1] > t) points.push([t, (i + 1) / n]); });
  if (points.length && end !== null) points.push([end, times.length / n]);
  return points;
}

function scatter() {
  const { portfolio, scores, pair } = view;
  const [a, b] = pair, names = pair.map((s) => portfolio.solvers[s].name);
  const costs = scores.rows.map((i) => [portfolio.time(a, i), portfolio.time(b, i), i]);
  const points = costs.map(([x, y, i]) => [portfolio.own(x), portfolio.own(y), i]);
  const values = points.flatMap((p) => [p[0], p[1]]);
  if (values.every((v) => v === null)) return null;
  const axis = (label) => (portfolio.timed ? timeAxis(label, [...values, portfolio.cutoff], "timeout") : rangeOf(label, values));
  const [x, y] = names.map((name) => axis(`${name}, ${unit()}`));
  const about = "A dot is an instance, and leads to it.";
  const tip = (p) => `${portfolio.instances[p[2]]}: ${shown(p[0] ?? "timeout")} against ${shown(p[1] ?? "timeout")}`;
  const edge = portfolio.timed ? [{ type: "rule", x: portfolio.cutoff }, { type: "rule", y: portfolio.cutoff }] : [];
  return { title: `${names[0]} against ${names[1]}`, about, x, y, height: 520, maxWidth: 640, population: population(),
    marks: [{ type: "line", color: "faint", dash: "2 3", width: 1, points: [[x.low, x.low, "equal"], [x.high, x.high, "equal"]] }, ...edge,
      { type: "dots", color: "c1", opacity: 0.5, points: points.map((p) => [p[0], p[1], tip(p), p[2]]) }] };
}

function hardness() {
  const { portfolio, scores } = view;
  if (!portfolio.timed || !scores.rows.length) return null;
  const n = scores.on.length, rows = Array.from({ length: n + 1 }, () => []);
  for (const i of scores.rows) rows[scores.on.filter((s) => portfolio.solved[s][i] > 0).length].push(i);
  const counts = rows.map((of) => of.length);
  const boxes = counts.map((c, solving) => [solving - 0.42, solving + 0.42, 0, c, `${c} instances solved by ${solving} of ${n}`, solving === 0 ? "c2" : "c1", 1, rows[solving]]);
  return { title: "Hardness: how many algorithms solve an instance", about: `${counts[0]} unsolved by all, ${counts[n]} solved by all of ${n}.`,
    height: 240, population: population(),
    x: { label: "algorithms that solve it", kind: "linear", whole: true, low: -0.5, high: n + 0.5 },
    y: { label: "instances", kind: "linear", whole: true, low: 0, high: Math.max(...counts) }, marks: [{ type: "box", color: "c1", boxes }] };
}

const LIVE = { cactus, ecdf, scatter, "solved-by": hardness };
