"use strict";
// Tables: sort by a click on the head, filter by words or conditions, save as CSV.

const tables = new Map();
const FEW = 12; // rows that are read without a filter

function valueOf(cell) {
  const text = cell.dataset.v;
  if (text === undefined) return cell.textContent;
  return text === "" ? null : Number(text);
}

const NAMES = new Intl.Collator("en", { numeric: true }); // one for all: making it takes long
function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return NAMES.compare(a, b);
}

// «glucose closed gap>-1»: rows that hold the word and whose column, called as its head without its unit
// or with _ for blanks, fulfils the condition. Gives the tests of {at: column → value, text}, and what it does not know.
const unitless = (head) => head.replace(/ \[[^\]]*\]$/, "");
const NUMBER = "[-−+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-−+]?\\d+)?";
const SIGNS = { "<": (v, w) => v < w, ">": (v, w) => v > w, "=": (v, w) => v === w, "<=": (v, w) => v <= w, ">=": (v, w) => v >= w };

function conditions(words, heads) {
  const plain = (text) => unitless(text).toLowerCase().replaceAll("_", " "), escaped = (text) => text.replace(/[^\w ]/g, "\\$&");
  const known = heads.map((h, at) => [plain(h), at]).filter(([h]) => h).sort((a, b) => b[0].length - a[0].length);
  const term = new RegExp(`(?:^|\\s)(${known.map(([h]) => escaped(h).replaceAll(" ", "[ _]")).join("|")})\\s*(<=|>=|<|>|=)\\s*(${NUMBER})(?=\\s|$)`, "g");
  const tests = [];
  const rest = words.toLowerCase().replaceAll(/\s+/g, " ").replaceAll(term, (_, name, sign, limit) => {
    const column = known.find(([h]) => h === plain(name))[1], bound = Number(limit.replaceAll("−", "-"));
    tests.push((row) => { const v = row.at(column); return typeof v === "number" && SIGNS[sign](v, bound); });
    return " ";
  });
  const others = rest.split(/\s+/).filter(Boolean), unknown = others.filter((w) => new RegExp(`^[^<>=]+[<>=]=?${NUMBER}$`).test(w));
  tests.push(...others.map((word) => (row) => row.text.toLowerCase().includes(word)));
  return { tests, unknown };
}

// On a wide window a table shows the columns that fit, once it is seen; a button has the others.
const WIDE = matchMedia("(min-width: 641px)");
const fitter = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting || !target.tBodies[0].rows.length) continue;
    fitter.unobserve(target);
    if (WIDE.matches && !paper) (tables.get(target.id) ?? longs.get(target.id))?.fit();
  }
});

class Table {
  constructor(node) {
    Object.assign(this, { node, key: `t-${node.id}`, sorted: null, words: "", only: null }); // only: numbers of the rows that a link counts
    this.body = node.tBodies[0];
    this.original = [...this.body.rows];
    this.heads = [...node.tHead.rows[0].cells];
    this.names = this.heads.map((h) => h.textContent);
    if (this.original.length !== 1) this.heads.forEach((head, column) => { // one row is sorted; none is filled later
      const button = make("button", { type: "button", class: "sort", title: head.dataset.help ?? "" }, ...head.childNodes);
      button.addEventListener("click", () => this.turn(column));
      head.replaceChildren(button);
    });
    node.closest(".table").querySelector(".tools").append(...this.tools());
    this.filter.hidden = this.original.length <= FEW;
    this.chooser = node.closest(".table").querySelector("#choose-shown"); // of what a filter lets through
    this.chooser?.toggleAttribute("hidden", true);
    const [column, way, ...words] = (state.get(this.key) ?? "").split("~");
    if (words.length) { this.filter.value = this.words = words.join("~"); this.sift(); }
    fitter.observe(node);
    this.keepStored();
    if (column && this.heads[column]) { this.sorted = { column: Number(column), way: way === "d" ? -1 : 1 }; this.sort(); }
  }

  // What does not follow the choices is marked: of a table none of which does all of it.
  keepStored() {
    const live = this.body.querySelector("[data-column]") !== null;
    this.body.classList.toggle("kept", !live);
    if (live) for (const cell of this.body.querySelectorAll("td:not([data-column], .gap)")) cell.classList.add("kept");
  }

  tools() {
    const of = (holds) => this.heads.findIndex((head, at) => at > 0 && holds(head)), live = of((head) => head.dataset.now !== undefined);
    const example = this.names[live > 0 ? live : Math.max(1, of((head) => !head.matches(".words")))];
    this.filter = make("input", { type: "search", placeholder: `filter: words, or ${unitless(example)}>0`, "aria-label": `Filter the table ${this.node.caption.textContent}` });
    this.filter.addEventListener("input", () => { this.words = this.filter.value; this.only = null; this.sift(); this.keep(); });
    const button = make("button", { type: "button", class: "save" }, "CSV");
    button.setAttribute("aria-label", `Save the table ${this.node.caption.textContent} as CSV`);
    button.addEventListener("click", () => save(`${document.title}-${this.node.id}${isChanged() ? "-changed" : ""}.csv`, "text/csv", csv(this.rows())));
    this.count = make("span", { class: "count", "aria-live": "polite" });
    this.all = make("button", { type: "button", class: "columns", hidden: "" }, "show all");
    this.all.addEventListener("click", () => this.show(null));
    return [this.filter, this.count, this.all, button];
  }

  // The rows that a link counts, and no others; null for all.
  show(only) {
    this.only = only;
    this.filter.value = this.words = "";
    this.sift();
    this.keep();
  }

  fit() {
    const room = this.node.closest(".scroll").clientWidth, from = this.node.getBoundingClientRect().left;
    if (this.node.offsetWidth <= room + 1) return;
    const kept = Math.max(2, this.heads.filter((head) => head.getBoundingClientRect().right - from <= room).length);
    if ((this.sorted?.column ?? 0) >= kept) return; // it is what was asked for
    const button = make("button", { type: "button", class: "columns" });
    const tell = () => {
      button.textContent = this.kept === kept ? `${this.heads.length - kept} more column${this.heads.length - kept === 1 ? "" : "s"}` : "fewer columns";
      this.narrow();
    };
    button.addEventListener("click", () => { this.kept = this.kept === kept ? Infinity : kept; tell(); });
    this.count.after(button);
    this.kept = kept;
    tell();
  }

  narrow() {
    if (this.kept) for (const row of this.node.rows) for (const cell of row.cells) cell.hidden = cell.cellIndex >= this.kept;
  }

  turn(column) {
    const same = this.sorted?.column === column;
    this.sorted = { column, way: same ? -this.sorted.way : 1 };
    this.sort();
    this.keep();
  }

  sort() {
    if (!this.sorted) return;
    const { column, way } = this.sorted;
    const rows = [...this.body.rows].map((row) => [valueOf(row.cells[column]), row]);
    rows.sort(([a], [b]) => (a === null || b === null ? compare(a, b) : way * compare(a, b)));
    this.body.append(...rows.map(([, row]) => row));
    this.heads.forEach((h, i) => (i === column ? h.setAttribute("aria-sort", way > 0 ? "ascending" : "descending") : h.removeAttribute("aria-sort")));
  }

  sift() {
    const { tests, unknown } = conditions(this.words, this.names), only = this.only && new Set([...this.only].map((at) => this.original[at]));
    let n = 0;
    for (const row of this.body.rows) {
      const of = { at: (column) => valueOf(row.cells[column]), text: row.textContent };
      row.hidden = !((only?.has(row) ?? true) && tests.every((holds) => holds(of)));
      n += !row.hidden;
    }
    this.all.hidden = !this.only;
    const column = unknown.map((w) => `; no column is called ${w.split(/[<>=]/)[0]}`).join("");
    this.chooser?.toggleAttribute("hidden", !tests.length);
    this.count.textContent = tests.length || this.only ? `${n} of ${this.body.rows.length}${n ? "" : column}` : "";
  }

  keep() {
    const { column, way } = this.sorted ?? {};
    const text = `${column ?? ""}~${way === -1 ? "d" : "a"}~${this.words}`;
    remember(this.key, text === "~a~" ? null : text);
  }

  // What is shown, each row with its n and protocol; «now» is the state of the columns that follow it.
  rows() {
    const seen = [...this.body.rows].filter((row) => !row.hidden), { node } = this;
    const live = this.heads.some((h) => h.dataset.now !== undefined) && view.portfolio;
    const more = [[seen.some((row) => row.dataset.n ?? node.dataset.n), "n", (row) => row.dataset.n ?? node.dataset.n ?? ""],
      [seen.some((row) => row.dataset.protocol ?? node.dataset.protocol), "protocol", (row) => row.dataset.protocol ?? node.dataset.protocol ?? ""],
      [live, "now", () => population()]].filter(([there]) => there);
    const drawn = this.heads.map((head) => head.dataset.bar === "gap");
    const kept = (list) => list.filter((_, at) => !drawn[at]);
    const cells = (row) => kept([...row.cells]).map((cell) => {
      const value = valueOf(cell);
      return value === null || typeof value === "number" ? value : nameOf(cell);
    });
    return [[...kept(this.names), ...more.map(([, head]) => head)], ...seen.map((row) => [...cells(row), ...more.map(([, , of]) => of(row))])];
  }
}

// The text of a cell without the remarks in it.
function nameOf(cell) {
  const copy = cell.cloneNode(true);
  copy.querySelector(".use")?.remove();
  return copy.textContent.trim();
}

// What a number is: its column's meaning, how many it is made of, under which protocol.
function explain(cell) {
  const node = cell.closest("table"), head = node.tHead.rows[0].cells[cell.cellIndex];
  const value = valueOf(cell), row = cell.parentNode;
  const live = cell.dataset.column !== undefined && view.portfolio;
  const n = live ? view.scores.rows.length : row.dataset.n ?? node.dataset.n;
  const protocol = row.dataset.protocol ?? node.dataset.protocol;
  const under = live ? stateText() : `${protocol ? `protocol ${protocol}` : ""}${cell.closest("[data-follows=never]") ? "" : asStored()}`;
  const who = row.cells[0].matches("th") ? nameOf(row.cells[0]) : "";
  const parts = [`${who ? `${who}: ` : ""}${head.textContent} ${value === null ? "none" : typeof value === "number" ? value : cell.textContent}`,
    cell.dataset.tip, head.dataset.help, n && `n = ${n}`, under];
  return parts.filter(Boolean).join(" · ");
}

const EXPLAINED = "td[data-v], [data-tip]";

function explainCells() {
  const tip = byId("tip");
  const show = (event) => {
    const node = event.target.closest?.(EXPLAINED);
    if (!node) return;
    tip.textContent = node.matches("td") ? explain(node) : node.dataset.tip;
    tip.hidden = false;
    const frame = node.getBoundingClientRect();
    place(tip, frame.left, frame.top);
    if (event.type !== "focusin") return;
    node.setAttribute("aria-describedby", "tip");
    if (node.matches("td")) say(tip.textContent);
  };
  const hide = (event) => { if (event.target.closest?.(EXPLAINED)) tip.hidden = true; };
  for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(on, show);
    document.addEventListener(off, hide);
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
}

// By keyboard: Enter goes from a table into its cells, arrows from cell to cell, Escape back.
const WAYS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

function walkCells(region) {
  const go = (cell) => { if (cell) { cell.tabIndex = -1; cell.focus(); } };
  region.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td"), way = WAYS[event.key];
    const rows = [...region.querySelectorAll("tbody tr")].filter((row) => !row.hidden);
    if (event.key === "Enter" && event.target === region) go(rows[0]?.querySelector("td"));
    else if (event.key === "Escape" && cell) region.focus();
    else if (cell && way) {
      const row = rows[rows.indexOf(cell.parentNode) + way[0]], next = row?.cells[cell.cellIndex + way[1]];
      if (next?.matches("td:not([hidden])")) go(next);
    } else return;
    event.preventDefault();
  });
}

// A table that is wider than the page, as several below each other: each with the names
// of the rows and as many columns as there is room for. Chromium repeats no head that has
// a button at the top of the next page: heads are text.
function inPieces(table, room) {
  const widths = [...table.tHead.rows[0].cells].map((head) => head.getBoundingClientRect().width), groups = [[]];
  let left = room - widths[0];
  for (let at = 1; at < widths.length; at++) {
    if (widths[at] > left && groups.at(-1).length) { groups.push([]); left = room - widths[0]; }
    groups.at(-1).push(at);
    left -= widths[at];
  }
  table.closest(".table").classList.add("cut");
  return groups.map((columns) => {
    const part = table.cloneNode(true), piece = make("div", { class: "piece" }, part);
    part.removeAttribute("id");
    for (const row of part.rows) row.replaceChildren(...[...row.cells].filter((_, at) => at === 0 || columns.includes(at)));
    for (const head of part.tHead.rows[0].cells) head.textContent = head.textContent;
    table.closest(".table").append(piece);
    return piece;
  });
}

function openTables() {
  for (const node of document.querySelectorAll("table.data")) {
    tables.set(node.id, new Table(node));
    walkCells(node.closest(".scroll"));
  }
  explainCells();
}
