"use strict";
// Tables: sort by a click on the head, filter by words or conditions, save as CSV.

const tables = new Map();

function valueOf(cell) {
  const text = cell.dataset.v;
  if (text === undefined) return cell.textContent;
  return text === "" ? null : Number(text);
}

function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// «glucose par10<500»: rows that hold the word and whose column fulfils the condition.
function test(term, heads) {
  const found = /^([^<>=]+)(<=|>=|<|>|=)(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/.exec(term);
  const column = found ? heads.findIndex((h) => h.toLowerCase().replaceAll(" ", "_") === found[1]) : -1;
  if (column < 0) return (row) => row.textContent.toLowerCase().includes(term);
  const limit = Number(found[3]);
  const holds = { "<": (v) => v < limit, ">": (v) => v > limit, "=": (v) => v === limit, "<=": (v) => v <= limit, ">=": (v) => v >= limit }[found[2]];
  return (row) => { const v = valueOf(row.cells[column]); return v !== null && holds(v); };
}

class Table {
  constructor(node) {
    Object.assign(this, { node, key: `t-${node.id}`, sorted: null, words: "" });
    this.body = node.tBodies[0];
    this.heads = [...node.tHead.rows[0].cells];
    this.names = this.heads.map((h) => h.textContent);
    this.heads.forEach((head, column) => {
      const button = make("button", { type: "button", class: "sort", title: head.dataset.help ?? "" }, head.textContent);
      button.addEventListener("click", () => this.turn(column));
      head.replaceChildren(button);
    });
    node.closest(".table").querySelector(".tools").append(...this.tools());
    const [column, way, ...words] = (state.get(this.key) ?? "").split("~");
    if (words.length) { this.filter.value = this.words = words.join("~"); this.sift(); }
    if (column && this.heads[column]) { this.sorted = { column: Number(column), way: way === "d" ? -1 : 1 }; this.sort(); }
  }

  tools() {
    this.filter = make("input", { type: "search", placeholder: "filter: words, or par10<500", "aria-label": `Filter the table ${this.node.caption.textContent}` });
    this.filter.addEventListener("input", () => { this.words = this.filter.value; this.sift(); this.keep(); });
    const button = make("button", { type: "button", class: "save" }, "CSV");
    button.setAttribute("aria-label", `Save the table ${this.node.caption.textContent} as CSV`);
    button.addEventListener("click", () => save(`${document.title}-${this.node.id}.csv`, "text/csv", csv(this.rows())));
    this.count = make("span", { class: "count", "aria-live": "polite" });
    return [this.filter, this.count, button];
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
    const tests = this.words.toLowerCase().split(/\s+/).filter(Boolean).map((t) => test(t, this.names));
    let n = 0;
    for (const row of this.body.rows) {
      row.hidden = !tests.every((holds) => holds(row));
      n += !row.hidden;
    }
    this.count.textContent = tests.length ? `${n} of ${this.body.rows.length}` : "";
  }

  keep() {
    const { column, way } = this.sorted ?? {};
    const text = `${column ?? ""}~${way === -1 ? "d" : "a"}~${this.words}`;
    remember(this.key, text === "~a~" ? null : text);
  }

  rows() {
    const seen = [...this.body.rows].filter((row) => !row.hidden);
    const kept = this.heads.map((h, i) => i).filter((i) => !this.heads[i].dataset.control);
    return [kept.map((i) => this.names[i]), ...seen.map((row) => kept.map((i) => {
      const value = valueOf(row.cells[i]);
      return value === null || typeof value === "number" ? value : row.cells[i].textContent.trim();
    }))];
  }
}

// What a number is: its column's meaning, how many it is made of, under which protocol.
function explain(cell) {
  const node = cell.closest("table"), head = node.tHead.rows[0].cells[cell.cellIndex];
  const value = valueOf(cell), n = cell.dataset.n ?? cell.parentNode.dataset.n ?? node.dataset.n;
  const protocol = cell.parentNode.dataset.protocol ?? node.dataset.protocol;
  const who = cell.parentNode.querySelector("th")?.textContent.trim();
  const parts = [`${who ? `${who}: ` : ""}${head.textContent} ${value === null ? "none" : typeof value === "number" ? value : cell.textContent}`,
    cell.dataset.tip, head.dataset.help, n && `n = ${n}`, protocol && `protocol ${protocol}`];
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
      if (next?.matches("td")) go(next);
    } else return;
    event.preventDefault();
  });
}

function openTables() {
  for (const node of document.querySelectorAll("table.data")) {
    tables.set(node.id, new Table(node));
    walkCells(node.closest(".scroll"));
  }
  explainCells();
}
