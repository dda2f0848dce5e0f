// The box: what is typed is asked, and its answer is a table as all others.
const box = byId("sql"), answer = byId("answer"), asked = byId("asked"), run = byId("run");

const isText = (rows, at) => rows.some((row) => typeof row[at] === "string");
function head(column, words) {
  return make("th", { scope: "col", "data-help": column.type.toLowerCase(), ...(words ? { class: "text" } : {}) }, column.name);
}

function cell(value, places, name) {
  const number = typeof value === "number", attributes = number || value === null ? { "data-v": value ?? "" } : {};
  if (name) return make("th", { scope: "row", ...attributes }, number ? shown(value) : value ?? "–");
  return make("td", { ...attributes, ...(number || value === null ? {} : { class: "text" }) }, aligned(value, places));
}

function tell({ columns, rows, n, seconds }, sql) {
  const places = columns.map((_, at) => decimals(rows.map((row) => row[at])));
  const lines = rows.map((row) => make("tr", {}, ...row.map((value, at) => cell(value, places[at], at === 0))));
  const caption = `${n.toLocaleString("en").replaceAll(",", "\u202f")} ${n === 1 ? "row" : "rows"}`;
  const table = make("table", { class: "data", id: "found" }, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...columns.map((column, at) => head(column, isText(rows, at))))), make("tbody", {}, ...lines));
  const tools = make("div", { class: "tools" }, make("strong", { "aria-hidden": "true" }, caption));
  const region = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table);
  answer.replaceChildren(make("div", { class: "table" }, tools, region));
  state.delete("t-found");
  new Table(table);
  walkCells(region);
  const took = `${seconds < 10 ? seconds.toPrecision(2) : Math.round(seconds)} s`;
  asked.replaceChildren(rows.length < n ? `${rows.length} of ${caption} are shown, in ${took}` : took);
  const whole = wholeAnswer(sql);
  if (whole && rows.length < n) asked.append(" · ", make("a", { href: whole, download: "answer.csv" }, "all as CSV"));
}

// Where the error is, the word is marked.
function fail(error) {
  const at = error.message.match(/^query:(\d+)(?::(\d+))?: /);
  answer.replaceChildren(make("p", { class: "error", role: "alert" }, error.message));
  asked.textContent = "";
  if (!at) return;
  const before = box.value.split("\n").slice(0, Number(at[1]) - 1).join("\n").length + (at[1] > 1), start = before + Number(at[2] ?? 1) - 1;
  const word = box.value.slice(start).match(/^(\w+|.)/)?.[0].length ?? 0;
  box.focus();
  box.setSelectionRange(start, start + word);
}

const LONGEST = 8000; // characters of a question that is kept in the address
async function askNow() {
  const sql = box.value;
  if (run.disabled || !sql.trim()) return;
  remember("sql", sql.length <= LONGEST ? sql : null);
  run.disabled = true;
  asked.textContent = "asked …";
  try { tell(await answered(sql), sql); } catch (error) { fail(error); }
  run.disabled = false;
}

run.addEventListener("click", askNow);
box.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); askNow(); } });
for (const button of document.querySelectorAll("button[data-sql]")) {
  button.addEventListener("click", () => { box.value = button.dataset.sql; byId("ask").scrollIntoView(); askNow(); });
}
byId("sift").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of document.querySelectorAll(".relation")) one.hidden = !words.every((word) => one.textContent.toLowerCase().includes(word));
  for (const title of document.querySelectorAll("#relations h3")) {
    let next = title.nextElementSibling;
    while (next?.matches(".relation[hidden]")) next = next.nextElementSibling;
    title.hidden = !next?.matches(".relation");
  }
});
if (state.has("sql")) { box.value = state.get("sql"); askNow(); }
