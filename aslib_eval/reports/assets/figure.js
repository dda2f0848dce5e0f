"use strict";
// A figure: its chart, drawn to fit, with a tip under the pointer or the arrow keys.

function layout(spec, width) {
  const ends = endsOf(spec, width), legend = legendOf(spec, width - 16, ends);
  const names = spec.y.kind === "band" ? spec.y.names.map((n) => shortened(n)) : [spec.y.beyond ?? spec.y.zero ?? "00000"];
  const wanted = widthOf(names) + 14;
  const beside = ends.length ? 18 + widthOf(ends.map(({ mark }) => shortened(mark.name))) : 0;
  const room = 14 + beside + widthOf((spec.y.right ?? []).map((n) => shortened(n)));
  let left = spec.y.kind === "band" ? Math.min(wanted, Math.max(60, width - room - 110)) : Math.max(48, wanted);
  const below = spec.x.kind === "band" ? widthOf(spec.x.names.map((n) => shortened(n))) : 0;
  const step = spec.x.kind === "band" ? (width - left - room) / spec.x.names.length : Infinity;
  const turn = step < 22 ? 90 : 40;
  if (below > step - 6 && turn === 40) left = Math.max(left, widthOf([shortened(spec.x.names[0])]) * 0.77 + 8 - step / 2);
  const slant = below > step - 6 ? Math.min(below * (turn === 90 ? 1 : 0.66) + 14, 240) : 18;
  const bottom = slant + (spec.x.label ? 20 : 6);
  // What rules say stands in a line of its own where it would lie on the title of y.
  const ruled = spec.marks.filter((m) => m.type === "rule" && m.label), x = scaleOf(spec.x, left, width - room);
  const title = spec.y.label ? widthOf([spec.y.label]) + 8 : 0;
  const over = ruled.filter((m) => m.x !== undefined), taken = [], raised = new Set(); // what would lie on another one is raised
  for (const m of over) {
    const [from, to] = spanOf(m, x, width - room);
    if (taken.some(([a, b]) => from < b + 6 && to > a - 6)) raised.add(m); else taken.push([from, to]);
  }
  const lift = (title && over.some((m) => x.place(m.x) - widthOf([m.label]) / 2 < title) ? 15 : 0) + (raised.size ? 15 : 0);
  const top = legend.height + (title || ruled.length ? 24 : 10) + lift;
  const inner = spec.y.kind === "band" ? spec.y.names.length * (spec.rowHeight ?? 22) : spec.height ?? 300;
  const height = top + inner + bottom;
  return { legend, ends, box: { left, right: width - room, top, bottom: top + inner, height, width, turn, lift, raised } };
}

// On paper every chart is as wide as the page, whatever the window.
const PAPER = 690;
let paper = 0;

// How wide it is, measured once until the page is: each measure lays out all of it.
let widths = new WeakMap();
function widthIn(holder) {
  if (!widths.get(holder)) widths.set(holder, holder.clientWidth);
  return widths.get(holder);
}

function draw(figure, spec) {
  const holder = figure.querySelector(".canvas");
  const narrow = Math.max(paper || widthIn(holder) || 720, spec.minWidth ?? 0);
  const width = Math.min(narrow, spec.maxWidth ?? narrow);
  const { legend, ends, box } = layout(spec, width);
  const root = svg("svg", { viewBox: `0 0 ${width} ${box.height}`, width, height: box.height, class: box.height > 0.7 * width ? "square" : "",
    role: "img", "aria-label": `${spec.title}. ${spec.about ?? ""} Arrow keys read out the values.`, tabindex: 0 });
  const x = scaleOf(spec.x, box.left, box.right), y = scaleOf(spec.y, box.bottom, box.top);
  if (spec.y.kind === "band") Object.assign(y, scaleOf(spec.y, box.top, box.bottom));
  drawLegend(root, legend, 8);
  drawAxes(root, spec, box, x, y);
  const hits = [];
  // Grey below, then whole lines, then those with most gaps: two that are equal are both seen.
  const solid = ({ dash }) => { const [on, off] = (dash ?? "1 0").split(" ").map(Number); return on / (on + off); };
  const level = (m) => (m.color === "muted" ? 0 : m.type === "line" ? 2 - solid(m) : 3);
  const order = [...spec.marks].map((m, i) => [m, i]).sort(([a, i], [b, j]) => level(a) - level(b) || i - j).map(([m]) => m);
  for (const mark of order) MARKS[mark.type](root, mark, x, y, hits, box);
  drawEnds(root, ends, x, y, box);
  holder.replaceChildren(root);
  holder.style.minHeight = "";
  figure.chart = { spec, hits, root };
  follow(figure, root, hits);
}

function tipOf(hit, spec) {
  const { mark, p } = hit;
  // A box of a map whose tip is its value alone is named by its row and column.
  const [column, row] = ["x", "y"].map((axis, at) => spec[axis].names?.[Math.round(p[at] - 0.48)]);
  const values = typeof p[2] === "number" ? `${row} and ${column}: ${shown(p[2])}` : p[2] ?? `${spec.x.label ?? "x"} ${shown(p[0])}, ${spec.y.label ?? "y"} ${shown(p[1])}`;
  const head = mark.name && (mark.type === "line" || !p[2]) ? `${mark.name}: ` : "";
  return `${head}${values}${overOf(spec)}`;
}

const overOf = (spec) => `${spec.population ? ` · ${spec.population}` : ""}${spec.live ? "" : asStored()}`;

// Who else is drawn at that very point.
function equals(hit, hits) {
  if (hit.area || !hit.mark.name) return "";
  const there = hits.filter((h) => h.mark.name && h.mark.name !== hit.mark.name && Math.abs(h.x - hit.x) < 0.7 && Math.abs(h.y - hit.y) < 0.7);
  const names = [...new Set(there.map((h) => h.mark.name))];
  return names.length ? ` · the same: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""}` : "";
}

function nearest(hits, x, y) {
  const inside = hits.filter((h) => h.area).find((h) => x >= h.area[0] && x <= h.area[1] && y >= h.area[2] && y <= h.area[3]);
  if (inside) return inside;
  let best = null, least = 24 * 24;
  for (const hit of hits) {
    if (hit.area) continue;
    const d = (hit.x - x) ** 2 + (hit.y - y) ** 2;
    if (d < least) [best, least] = [hit, d];
  }
  return best;
}

function follow(figure, root, hits) {
  const tip = byId("tip"), spec = figure.chart.spec;
  let at = -1, hot = null;
  const mark = (hit) => {
    if (hot) hot.classList.remove("hot");
    hot = hit?.node ?? null;
    if (hot) hot.classList.add("hot");
  };
  const show = (hit) => {
    const text = tipOf(hit, spec) + equals(hit, hits), frame = root.getBoundingClientRect();
    const scale = frame.width / root.viewBox.baseVal.width;
    tip.textContent = text;
    tip.hidden = false;
    place(tip, frame.left + hit.x * scale, frame.top + hit.y * scale);
    mark(hit);
    return text;
  };
  const hide = () => { tip.hidden = true; mark(null); };
  root.addEventListener("pointermove", (event) => {
    const frame = root.getBoundingClientRect(), scale = frame.width / root.viewBox.baseVal.width;
    const hit = nearest(hits, (event.clientX - frame.left) / scale, (event.clientY - frame.top) / scale);
    if (hit) { at = hits.indexOf(hit); show(hit); } else hide();
  });
  const open = () => { const to = hits[at]?.p[3]; if (Number.isInteger(to)) showInstance(to, figure); else if (to) showOnly("instances", to); };
  root.addEventListener("click", open);
  root.addEventListener("pointerleave", hide);
  root.addEventListener("blur", hide);
  root.addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    const other = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") return hide();
    if (event.key === "Enter") return open();
    if (!hits.length || (move === undefined && other === undefined)) return;
    event.preventDefault();
    at = other ? nextMark(hits, at, other) : Math.min(hits.length - 1, Math.max(0, at + move));
    say(show(hits[at]));
  });
}

function nextMark(hits, at, way) {
  let i = Math.max(0, at);
  const mark = hits[i].mark;
  while (hits[i + way] && hits[i].mark === mark) i += way;
  return i;
}

function place(tip, x, y) {
  const size = tip.getBoundingClientRect();
  const left = Math.min(Math.max(6, x + 12), document.documentElement.clientWidth - size.width - 6);
  const top = y - size.height - 10 < 6 ? y + 16 : y - size.height - 10;
  tip.style.transform = `translate(${left}px, ${top}px)`;
}

// An SVG that stands alone: colours and fonts instead of the page's variables.
function standalone(figure) {
  const copy = figure.chart.root.cloneNode(true), style = getComputedStyle(document.documentElement);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("tabindex");
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  const rules = `text{font:12px system-ui,sans-serif}.tick,.note{fill:${value("faint")};font-size:11.5px}.axis,.ink{fill:${value("ink")}}.grid{stroke:${value("line")}}`;
  const [w, h] = ["width", "height"].map((k) => copy.getAttribute(k));
  const spec = figure.chart.spec, over = overOf(spec).replace(/^ · /, ""), tall = Number(h) + (over ? 18 : 0);
  copy.setAttribute("viewBox", `0 0 ${w} ${tall}`);
  copy.setAttribute("height", tall);
  copy.prepend(svg("title", {}, spec.title), svg("style", {}, rules), svg("rect", { width: w, height: tall, fill: value("card") }));
  if (over) copy.append(svg("text", { x: 8, y: tall - 6, class: "note" }, over));
  const text = new XMLSerializer().serializeToString(copy);
  return text.replace(/var\(--([\w-]+)\)/g, (_, name) => value(name));
}

// Minus signs of numbers as spreadsheets read them.
const plainMinus = (text) => text.replace(/\u2212(?=[\d.∞])/g, "-");

function chartRows(spec) {
  const over = overOf(spec).replace(/^ · /, "");
  const rows = [["mark", spec.x.label || "x", spec.y.label || "y", "says", "over"]];
  for (const m of spec.marks) {
    for (const p of m.points ?? (m.boxes ?? []).map((b) => [b[1], b[3], b[4]])) {
      const at = (axis, v) => (axis.kind === "band" ? axis.names[Math.round(v)] ?? v : v);
      rows.push([m.name ?? "", at(spec.x, p[0]), at(spec.y, p[1]), plainMinus(String(p[2] ?? "")), over]);
    }
  }
  return rows;
}

// Charts are drawn when they come near the window: a page opens as fast as its first one.
const specs = new Map();
const watch = (key, rootMargin) => new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target[key] = isIntersecting;
    if (isIntersecting && target.stale) refresh(target);
  }
}, { rootMargin });
const watchers = [watch("near", "400px"), watch("seen", "0px")];

function refresh(figure) {
  const spec = specs.get(figure)();
  figure.stale = false;
  for (const button of figure.querySelectorAll("button")) button.disabled = spec === null;
  const says = figure.querySelector("p.population");
  if (spec && spec.live && says) says.textContent = spec.about;
  if (spec) return draw(figure, spec);
  figure.querySelector(".canvas").replaceChildren(make("p", { class: "population" }, "Nothing to draw: no run is solved here."));
}

// What a chart will take, so that the page does not grow under its reader.
function roomOf(id, spec) {
  const figure = byId(id), width = (figure && widthIn(figure.querySelector(".canvas"))) || 720;
  return layout(spec, Math.min(Math.max(width, spec.minWidth ?? 0), spec.maxWidth ?? Infinity)).box.height;
}

function chart(id, spec, room) {
  const figure = byId(id);
  if (!figure) return;
  specs.set(figure, spec);
  figure.stale = true;
  figure.querySelector(".canvas").style.minHeight = `${room ?? 380}px`; // until it is drawn
  for (const watcher of watchers) watcher.observe(figure);
  const name = () => `${document.title}-${id}${isChanged() ? "-changed" : ""}`;
  const ready = () => { if (figure.stale || !figure.chart) refresh(figure); return figure; };
  figure.querySelector(".svg").addEventListener("click", () => save(`${name()}.svg`, "image/svg+xml", standalone(ready())));
  figure.querySelector(".csv").addEventListener("click", () => save(`${name()}.csv`, "text/csv", csv(chartRows(ready().chart.spec))));
}

// What is in the window at once, what is near it in a moment, each on its own; the rest when it comes near.
// stored: those, too, that follow no choice.
function redrawAll({ stored = true } = {}) {
  const drawn = [...specs.keys()].filter((figure) => stored || !figure.matches(".stored"));
  for (const figure of drawn) figure.stale = true;
  for (const figure of drawn) {
    if (figure.seen) refresh(figure); else if (figure.near) setTimeout(() => { if (figure.near && figure.stale) refresh(figure); });
  }
}
