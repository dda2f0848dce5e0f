"use strict";
// Charts: a specification of plain data → SVG. {title, about, x, y, marks, height}
// An axis is {label, kind: linear | log | symlog | band, low, high, names, right, zero, beyond}:
// a log axis has a place of its own for what is 0 (zero) and for what is null (beyond).
// Marks: line {points, step, color, dash, name}, dots {points, color, symbol, name},
// box {boxes: [x0, x1, y0, y1, tip, color, opacity, to]}, rule {x | y, label},
// text {items: [x, y, text, anchor]}. A point is [x, y, tip?, to?]:
// to is the number of its instance, or the numbers of the instances that it counts.

const STUB = 26; // pixels for what is 0, and for timeouts
const FONT = "12px system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif";
const paint = (color) => (/^#/.test(color) ? color : `var(--${color || "c1"})`);

function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function power(exponent) {
  if (exponent >= -3 && exponent <= 4) return String(Number((10 ** exponent).toPrecision(1)));
  return "10" + String(exponent).replace(/./g, (c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻");
}

function niceStep(span, count) {
  const rough = span / Math.max(1, count), unit = 10 ** Math.floor(Math.log10(rough));
  return unit * ([1, 2, 5].find((m) => m * unit >= rough) ?? 10);
}

function linearScale(axis, from, to) {
  let { low, high } = axis;
  if (!(high > low)) [low, high] = [low - 0.5, low + 0.5];
  const place = (v) => from + ((v - low) / (high - low)) * (to - from);
  const step = Math.max(niceStep(high - low, Math.abs(to - from) / (to > from ? 70 : 50)), axis.whole ? 1 : 0);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
    ticks.push([place(i * step), shown(Number((i * step).toPrecision(12)))]);
  }
  return { place, ticks };
}

function logScale(axis, from, to) {
  const way = Math.sign(to - from);
  const begin = from + way * (axis.zero ? STUB : 0), end = to - way * (axis.beyond ? STUB : 0);
  const low = Math.log10(axis.low), high = Math.log10(axis.high);
  const span = high > low ? high - low : 1;
  const place = (v) => {
    if (v === null) return to - (way * STUB) / 2;
    if (v < axis.low) return axis.zero ? from + (way * STUB) / 2 : begin;
    return begin + ((Math.log10(v) - low) / span) * (end - begin);
  };
  const ticks = axis.zero ? [[place(0), axis.zero]] : [];
  if (axis.cutoff) ticks.push([place(axis.high), shown(axis.high)]);
  const every = Math.max(1, Math.ceil(span / (Math.abs(end - begin) / 42)));
  for (let e = Math.ceil(low - 1e-9); e <= high + 1e-9; e++) {
    if (e % every === 0 || span < 2) ticks.push([place(10 ** e), power(e)]);
    for (const m of span < 2.1 ? [2, 5] : []) {
      if (Math.log10(m) + e <= high) ticks.push([place(m * 10 ** e), shown(m * 10 ** e)]);
    }
  }
  if (span < 2.1) for (const m of [2, 5]) {
    const e = Math.ceil(low - 1e-9) - 1;
    if (Math.log10(m) + e >= low) ticks.push([place(m * 10 ** e), shown(m * 10 ** e)]);
  }
  if (axis.beyond) ticks.push([place(null), axis.beyond]);
  return { place, ticks, begin, end };
}

// In equal steps from -1 to 1, in equal factors beyond.
const bent = (v) => Math.sign(v) * (Math.abs(v) <= 1 ? Math.abs(v) : 1 + Math.log10(Math.abs(v)));
function symlogScale(axis, from, to) {
  const low = bent(axis.low), high = bent(axis.high), ticks = [];
  const place = (v) => from + ((bent(v) - low) / (high - low)) * (to - from);
  const far = [...Array(300).keys()].map((e) => 10 ** e);
  for (const v of [0, ...far.flatMap((v) => [v, -v]), 0.5, -0.5, ...far.map((v) => -3 * v)]) {
    const at = place(v);
    if (v >= axis.low && v <= axis.high && ticks.every(([other]) => Math.abs(at - other) >= 42)) ticks.push([at, shown(v)]);
  }
  return { place, ticks };
}

function bandScale(axis, from, to) {
  const step = (to - from) / axis.names.length;
  const place = (i) => from + step * (i + 0.5);
  return { place, step, ticks: axis.names.map((n, i) => [place(i), shortened(n), n]) };
}

const scaleOf = (axis, from, to) =>
  ({ linear: linearScale, log: logScale, symlog: symlogScale, band: bandScale })[axis.kind](axis, from, to);

// The axis that holds all values: with room for zeros, and for null if `beyond` names it.
function timeAxis(label, values, beyond) {
  let least = Infinity, most = 0, zero = false;
  for (const v of values) {
    if (v === null) continue;
    if (v > most) most = v;
    if (v > 0 && v < least) least = v; else if (v <= 0) zero = true;
  }
  if (!(most > 0)) [least, most] = [1, 10];
  const low = 10 ** Math.max(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)) - 9);
  const below = least < low;
  return { label, kind: "log", low, high: Math.max(most, low * 10), beyond,
    zero: zero || below ? (below ? `<${shown(low)}` : "0") : undefined };
}

const ruler = document.createElement("canvas").getContext("2d");
function widthOf(texts) {
  ruler.font = FONT;
  return texts.reduce((most, text) => Math.max(most, ruler.measureText(text).width), 0);
}

// Outlines of marks of radius 1, as large as a circle of it; by the names of the palette.
const OUTLINES = {
  times: "M-1.2,-.75L-.75,-1.2L0,-.45L.75,-1.2L1.2,-.75L.45,0L1.2,.75L.75,1.2L0,.45L-.75,1.2L-1.2,.75L-.45,0Z",
  ring: "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-.6,0A.6,.6,0,1,0,.6,0A.6,.6,0,1,0,-.6,0Z",
  square: "M-.9,-.9L.9,-.9L.9,.9L-.9,.9Z", diamond: "M0,-1.25L1.25,0L0,1.25L-1.25,0Z",
  cross: "M-.42,-1.2L.42,-1.2L.42,-.42L1.2,-.42L1.2,.42L.42,.42L.42,1.2L-.42,1.2L-.42,.42L-1.2,.42L-1.2,-.42L-.42,-.42Z",
  "triangle-up": "M0,-1.3L1.2,.9L-1.2,.9Z", "triangle-down": "M0,1.3L1.2,-.9L-1.2,-.9Z",
  "triangle-right": "M1.3,0L-.9,1.2L-.9,-1.2Z", "triangle-left": "M-1.3,0L.9,1.2L.9,-1.2Z",
};
const symbol = (name, x, y, r, attributes) => (name ?? "circle") === "circle"
  ? svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r, ...attributes })
  : svg("path", { d: OUTLINES[name], transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${r})`, ...attributes });

// Lines that are named at their ends, where there is room; the legend has the others.
const MOST_ENDS = 12, NARROWEST = 560, APART = 14; // px between two names
// The last point at the right and the one before it: a curve over what is better the larger falls to the right.
function endOf({ points }) {
  const [first, second] = points, [before, last] = points.slice(-2);
  return points.length > 1 && first[0] > last[0] ? [first, second] : [last ?? before, points.at(-2)];
}
function endsOf(spec, width) {
  if (width < NARROWEST || spec.y.right) return [];
  const last = new Map();
  for (const mark of spec.marks) {
    if (mark.type !== "line" || !mark.name || mark.unlisted || mark.color === "muted" || !mark.points.length) continue;
    const [end, near] = endOf(mark), before = last.get(mark.name);
    if (!before || end[0] >= before.end[0]) last.set(mark.name, { mark, end, near: near ?? end });
  }
  return last.size > 1 && last.size <= MOST_ENDS ? [...last.values()] : [];
}

// Names in the order of the ends, of equals of the points before, none on another, each with a thread to its line;
// of steps that all end in one point, such as a share of 1, from the levels at which they come there.
function drawEnds(root, ends, x, y, box) {
  const one = ends.every(({ mark, end }) => mark.step && mark.points.length > 1 && String(end.slice(0, 2)) === String(ends[0].end.slice(0, 2)));
  const placed = ends.map(({ mark, end, near }) => ({ mark, at: [x.place(end[0]), y.place((one ? near : end)[1])], before: y.place(near[1]) }))
    .sort((a, b) => a.at[1] - b.at[1] || a.before - b.before);
  let least = -Infinity, most = box.bottom;
  for (const one of placed) { one.y = Math.max(one.at[1], least); least = one.y + APART; }
  for (const one of [...placed].reverse()) { one.y = Math.min(one.y, most); most = one.y - APART; }
  for (const { mark, at, y: level } of placed) {
    const key = { stroke: paint(mark.color), "stroke-dasharray": mark.dash };
    root.append(svg("line", { x1: at[0], y1: at[1], x2: box.right + 8, y2: level, stroke: paint(mark.color), "stroke-opacity": 0.4 }),
      svg("line", { x1: box.right + 8, x2: box.right + 24, y1: level, y2: level, "stroke-width": 3, ...key }),
      svg("text", { x: box.right + 28, y: level + 4, class: "ink" }, shortened(mark.name)));
  }
}

// Rows of the legend: what is coloured and has a name, as many on a line as fit; then
// how many are in grey.
function legendOf(spec, width, ends = []) {
  const ended = new Set(ends.map(({ mark }) => mark.name));
  const named = spec.marks.filter((m) => m.name && !m.unlisted && !ended.has(m.name));
  const items = named.filter((m) => m.color !== "muted"), others = named.filter((m) => m.color === "muted"), grey = new Set(others.map((m) => m.name));
  if ((items.length || ended.size) && grey.size) items.push({ type: others[0].type, color: "muted", name: `${grey.size} other${grey.size > 1 ? "s" : ""}` });
  let x = 0, y = 0;
  const placed = items.filter((m, i) => items.findIndex((o) => o.name === m.name) === i).map((mark) => {
    const size = 38 + widthOf([shortened(mark.name)]);
    if (x > 0 && x + size > width) { x = 0; y += 18; }
    const at = { mark, x, y };
    x += size;
    return at;
  });
  return { placed, height: placed.length ? y + 26 : 0 };
}

function drawLegend(root, legend, left) {
  for (const { mark, x, y } of legend.placed) {
    const paints = { fill: paint(mark.color), "fill-opacity": mark.shade };
    const key = {
      line: () => svg("line", { x1: left + x, x2: left + x + 17, y1: y + 10, y2: y + 10, stroke: paint(mark.color), "stroke-width": 3, "stroke-dasharray": mark.dash }),
      dots: () => symbol(mark.symbol, left + x + 10, y + 10, 5, paints),
      box: () => svg("rect", { x: left + x + 3, y: y + 4, width: 13, height: 12, ...paints }),
    }[mark.type ?? "line"];
    root.append(key(), svg("text", { x: left + x + 21, y: y + 14, class: "ink" }, shortened(mark.name)));
  }
}

// Leaves out tick labels that would touch the one before.
function spaced(ticks, least, sizeOf) {
  let last = -Infinity;
  const sorted = [...ticks].sort((a, b) => a[0] - b[0]);
  return sorted.filter(([at, text]) => {
    const half = sizeOf(text) / 2;
    if (at - half < last + least) return false;
    last = at + half;
    return true;
  });
}

// A text that is longer than its room is drawn narrower, never cut.
const fitted = (text, room) => (widthOf([text]) > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {});

function drawAxes(root, spec, box, x, y) {
  const slanted = spec.x.kind === "band" && widthOf(x.ticks.map((t) => t[1])) > x.step - 6;
  for (const [at, text, full] of spec.x.kind === "band" ? x.ticks : spaced(x.ticks, 8, (t) => widthOf([t]))) {
    if (spec.x.kind !== "band") root.append(svg("line", { x1: at, x2: at, y1: box.top, y2: box.bottom, class: "grid" }));
    const turn = slanted ? { transform: `rotate(-${box.turn} ${at} ${box.bottom + 12})`, "text-anchor": "end" } : { "text-anchor": "middle" };
    root.append(svg("text", { x: at, y: box.bottom + (slanted ? 14 : 17), class: "tick", ...turn }, svg("title", {}, full ?? text), text));
  }
  const rows = spec.y.kind === "band" ? y.ticks : spaced(y.ticks, 3, () => 12);
  for (const [at, text, full] of rows) {
    if (spec.y.kind !== "band") root.append(svg("line", { x1: box.left, x2: box.right, y1: at, y2: at, class: "grid" }));
    const fit = spec.y.kind === "band" ? fitted(text, box.left - 10) : {};
    root.append(svg("text", { x: box.left - 8, y: at + 4, "text-anchor": "end", class: "tick", ...fit }, svg("title", {}, full ?? text), text));
  }
  (spec.y.right ?? []).forEach((text, i) => root.append(svg("text", { x: box.right + 8, y: y.place(i) + 4, class: "tick" }, svg("title", {}, text), shortened(text))));
  if (spec.x.label) root.append(svg("text", { x: box.right, y: box.height - 5, "text-anchor": "end", class: "axis", ...fitted(spec.x.label, box.right - 2) }, spec.x.label));
  if (spec.y.label) root.append(svg("text", { x: 2, y: box.top - 9 - (box.lift ?? 0), class: "axis", ...fitted(spec.y.label, box.width - 4) }, spec.y.label));
}

// Where the name of an upright rule begins and ends, in pixels.
function spanOf({ x: at, label }, x, right) {
  const end = x.place(at), width = widthOf([label]);
  return end > right - 40 ? [end - width, end] : [end - width / 2, end + width / 2];
}

function pathOf(points, x, y, step) {
  let path = "", lastX = NaN, lastY = NaN;
  points.forEach(([px, py], i) => {
    const a = x(px), b = y(py);
    if (i && i < points.length - 1 && Math.abs(a - lastX) < 0.3 && Math.abs(b - lastY) < 0.3) return;
    path += i === 0 ? `M${a.toFixed(1)} ${b.toFixed(1)}` : (step ? `H${a.toFixed(1)}V${b.toFixed(1)}` : `L${a.toFixed(1)} ${b.toFixed(1)}`);
    [lastX, lastY] = [a, b];
  });
  return path;
}

const MARKS = {
  line(root, mark, x, y, hits) {
    const path = svg("path", { d: pathOf(mark.points, x.place, y.place, mark.step), fill: "none",
      stroke: paint(mark.color), "stroke-width": mark.width ?? (mark.color === "muted" ? 1 : 2),
      "stroke-opacity": mark.color === "muted" ? 0.55 : 1,
      "stroke-dasharray": mark.dash, "stroke-linejoin": "round" });
    root.append(path);
    for (const p of mark.points) hits.push({ x: x.place(p[0]), y: y.place(p[1]), mark, p, node: path });
  },
  dots(root, mark, x, y, hits) {
    for (const p of mark.points) {
      const at = { x: x.place(p[0]), y: y.place(p[1]) };
      root.append(symbol(mark.symbol, at.x, at.y, mark.r ?? 3.2, { fill: paint(mark.color), "fill-opacity": mark.opacity ?? 0.75 }));
      hits.push({ ...at, mark, p });
    }
  },
  box(root, mark, x, y, hits) {
    for (const [x0, x1, y0, y1, tip, color, opacity, to] of mark.boxes) {
      const [a, b] = [x.place(x0), x.place(x1)].sort((p, q) => p - q);
      const [c, d] = [y.place(y0), y.place(y1)].sort((p, q) => p - q);
      root.append(svg("rect", { x: a.toFixed(1), y: c.toFixed(1), width: Math.max(0.5, b - a).toFixed(1), height: Math.max(0.5, d - c).toFixed(1),
        fill: paint(color ?? mark.color), "fill-opacity": opacity ?? 1 }));
      hits.push({ x: (a + b) / 2, y: (c + d) / 2, mark, p: [x1, y1, tip, to], area: [a, b, c, d] });
    }
  },
  rule(root, mark, x, y, _, box) {
    const at = mark.x !== undefined ? x.place(mark.x) : y.place(mark.y);
    const ends = mark.x !== undefined ? { x1: at, x2: at, y1: box.top, y2: box.bottom } : { x1: box.left, x2: box.right, y1: at, y2: at };
    root.append(svg("line", { ...ends, stroke: paint(mark.color ?? "faint"), "stroke-dasharray": mark.dash ?? "4 3" }));
    if (mark.label) {
      root.append(mark.x !== undefined
        ? svg("text", { x: at, y: box.top - (box.raised?.has(mark) ? 19 : 4), "text-anchor": at > box.right - 40 ? "end" : "middle", class: "note" }, mark.label)
        : svg("text", { x: box.right - 4, y: at - 4, "text-anchor": "end", class: "note" }, mark.label));
    }
  },
  text(root, mark, x, y) {
    for (const [px, py, text, anchor, dx] of mark.items) {
      root.append(svg("text", { x: x.place(px) + (dx ?? 0), y: y.place(py) + 4, "text-anchor": anchor ?? "start", class: "note", fill: paint(mark.color ?? "ink") }, shortened(text)));
    }
  },
};
