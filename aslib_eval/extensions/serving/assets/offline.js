// The box asks DuckDB-Wasm, which this page holds: nothing is requested of anybody. It runs in a worker of
// its own, which is given its WebAssembly in the place of the one request that it makes.
const bytesIn = (id) => Uint8Array.from(atob(byId(id).textContent), (sign) => sign.charCodeAt(0));
const unzipped = async (id) => new Uint8Array(await new Response(new Blob([bytesIn(id)]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
const GIVEN = `addEventListener("message", (event) => {
  if (!event.data.wasm) return;
  event.stopImmediatePropagation();
  self.fetch = async () => new Response(event.data.wasm, { headers: { "content-type": "application/wasm" } });
});
`;

let started = null;
function begun() {
  started ??= (async () => {
    const [wasm, code, lake] = await Promise.all(["duckdb-wasm", "duckdb-worker", "lake-file"].map(unzipped));
    const worker = new Worker(URL.createObjectURL(new Blob([GIVEN, code], { type: "text/javascript" }))), waiting = new Map();
    let last = 0;
    const request = (type, data) => new Promise((resolve, reject) => { waiting.set(++last, { resolve, reject }); worker.postMessage({ messageId: last, type, data }); });
    worker.onmessage = ({ data }) => {
      if (data.type === "INSTANTIATE_PROGRESS") return;
      const asker = waiting.get(data.requestId);
      waiting.delete(data.requestId);
      if (data.type === "ERROR") asker?.reject(data.data); else asker?.resolve(data.data);
    };
    worker.onerror = (event) => { for (const { reject } of waiting.values()) reject(event); };
    worker.postMessage({ wasm }, [wasm.buffer]);
    await request("INSTANTIATE", ["data:application/wasm,", null]);
    await request("OPEN", { path: ":memory:" });
    await request("REGISTER_FILE_BUFFER", ["lake.duckdb", lake]);
    const connection = await request("CONNECT", null), query = (sql) => request("RUN_QUERY", [connection, sql]);
    for (const sql of ["set autoload_known_extensions = false", "set autoinstall_known_extensions = false", "attach 'lake.duckdb' as lake (read_only)", "use lake"]) await query(sql);
    const saved = async (sql) => { // as CSV, in which null is empty and text is quoted
      await query(`copy (${sql}\n) to 'answer.csv' (header true, force_quote *, nullstr '')`);
      const text = new TextDecoder().decode(await request("COPY_FILE_TO_BUFFER", "answer.csv"));
      await request("DROP_FILE", "answer.csv");
      return parsed(text);
    };
    return saved;
  })().catch((error) => { started = null; throw error; });
  return started;
}

// RFC 4180 as DuckDB writes it: what stands without quotes is null.
function parsed(text) {
  const rows = [];
  let row = [];
  for (const [, quotedText, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)) {
    if (quotedText === undefined && bare === "" && end === "" ) break;
    row.push(quotedText === undefined ? null : quotedText.replaceAll('""', '"'));
    if (end !== ",") { rows.push(row); row = []; }
  }
  return rows;
}

const NUMBERS = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/, MOST_SHOWN = 1000;
async function answered(sql) {
  const saved = await begun(), since = performance.now(), one = sql.replace(/;\s*$/, "");
  try {
    const described = (await saved(`from (describe ${one}\n) select column_name, column_type`)).slice(1);
    const columns = described.map(([name, type]) => ({ name, type }));
    const rows = (await saved(one)).slice(1).map((row) => row.map((text, at) => {
      const value = Number(text);
      return text !== null && NUMBERS.test(columns[at].type) && Number.isFinite(value) && Math.abs(value) < 2 ** 53 ? value : text;
    }));
    return { columns, rows: rows.slice(0, MOST_SHOWN), n: rows.length, seconds: (performance.now() - since) / 1000 };
  } catch (error) {
    if (error.name === "RuntimeError") started = null; // the WebAssembly is broken: begin anew
    throw Error(worded(error.message ?? String(error), one));
  }
}
// As aslib-eval query words it: where, what, in one line.
function worded(message) {
  return `query: ${message.split("\n\nLINE ")[0].split("\nLINE ")[0].replaceAll(/\s+/g, " ")}`;
}
const wholeAnswer = () => null;
