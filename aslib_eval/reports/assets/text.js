"use strict";
// Numbers and names as text, files, and the little DOM that everything is built with.

const byId = (id) => document.getElementById(id);

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children); // text becomes text nodes: no name is ever parsed as HTML
  return node;
}

// Nodes that the page has from its beginning, looked for once: it may have ten thousands.
const looked = new Map();
function settled(selector) {
  if (!looked.has(selector)) looked.set(selector, [...document.querySelectorAll(selector)]);
  return looked.get(selector);
}

function embedded(id) {
  const node = byId(id);
  return node ? JSON.parse(node.textContent) : null;
}

// As the tables of the page print numbers (`number` in aslib_eval/text.py): five digits, whole from 100000 on.
function shown(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size >= 1e5
    ? Math.round(value).toLocaleString("en").replaceAll(",", "\u202f")
    : size > 0 && size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(5)));
  return text.replace("-", "−");
}

// How numbers stand below each other, as in aslib_eval/text.py: three digits of the middle one.
const exponent = (v) => Number(v.toExponential().split("e")[1]);
function decimals(values) {
  const sizes = values.filter((v) => typeof v === "number" && Number.isFinite(v) && v !== 0).map(Math.abs).sort((a, b) => a - b);
  if (sizes.at(-1) >= 1e15) return null;
  if (sizes.every(Number.isInteger)) return 0;
  const middle = exponent(sizes[Math.floor(sizes.length / 2)]);
  return middle < -4 ? null : Math.max(0, 2 - middle);
}
function aligned(value, places) {
  if (places === null || typeof value !== "number" || !Number.isFinite(value)) return shown(value);
  const text = Math.abs(value).toFixed(places), minus = value < 0 && Number(text) !== 0 ? "−" : "";
  return minus + (Math.abs(value) >= 1e5 ? text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, "\u202f") : text);
}
// Up to two decimals more, if only these tell the best from the next.
function telling(values, places, best) {
  const known = [...new Set(values.map((v) => Number(v.toPrecision(12))))].sort((a, b) => (best === "max" ? b - a : a - b)).slice(0, 2);
  const more = places === null || known.length < 2 ? 0 : [0, 1, 2].find((d) => new Set(known.map((v) => aligned(v, places + d))).size > 1);
  return places === null ? null : places + (more ?? 0);
}
const percent = (share) => (share === null ? "–" : `${aligned(100 * share, Number((share !== 0 && Math.abs(share) < 0.01) || (Math.abs(share) > 0.99 && Math.abs(share) < 1)))}\u00a0%`);
const brief = (value) => (typeof value === "number" ? aligned(value, decimals([value])) : shown(value));

// Names of this page that are long, each in a way of its own (`short_names` in aslib_eval/text.py).
const SHORT = embedded("short") ?? {};

function shortened(name, most = 30) {
  if (most === 30 && Object.hasOwn(SHORT, name)) return SHORT[name];
  if (name.length <= most) return name;
  const tail = Math.floor(most / 2);
  return `${name.slice(0, most - tail - 1)}…${name.slice(-tail)}`;
}

// RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front,
// as in tables/to_csv.py; a mark alone is none, nor is a number.
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const runs = /^[=+\-@\t\r][^]/.test(value) && !/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(value);
  const text = runs ? `'${value}` : value === "−" ? "-" : value; // a minus that spreadsheets read
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csv = (rows) => rows.map((row) => row.map(csvCell).join(",") + "\r\n").join("");

function save(name, type, text) {
  const safe = name.replace(/[^\w.-]+/g, "_").replace(/^[._]+/, "") || "report";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: url, download: safe });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// What a reader has chosen and where he is, after the # of the address: k=2&drop=1&at=glance, or glance alone.
const choicesIn = (hash) => new URLSearchParams(hash.includes("=") ? hash.slice(1) : hash.length > 1 ? { at: decodeURIComponent(hash.slice(1)) } : "");
const choices = (of) => [...of].filter(([key]) => key !== "at" && key !== "instance").map(String).sort().join("&");
const state = choicesIn(location.hash);

function address() {
  const at = state.get("at"), text = choices(state) || state.has("instance") ? state.toString() : at ?? "";
  return text ? `#${text}` : location.pathname + location.search;
}

let due = false; // to be written when all that a change says is known: it takes milliseconds
function remember(key, value) {
  if (value === null || value === "" || value === undefined) state.delete(key);
  else state.set(key, value);
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    const now = address();
    if (now !== (location.hash || location.pathname + location.search)) history.replaceState(null, "", now);
  });
}

function say(text) {
  byId("said").textContent = text; // read aloud: aria-live
}
