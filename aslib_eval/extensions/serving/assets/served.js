// The box asks the server that the page is of.
async function answered(sql) {
  if (!location.protocol.startsWith("http")) throw Error("This page asks a server: type aslib-eval serve, and open the address that it prints.");
  const response = await fetch("query?format=page", { method: "POST", body: sql }).catch(() => { throw Error("The server does not answer: has aslib-eval serve been ended?"); });
  if (!response.ok) throw Error((await response.text()).trim());
  return response.json();
}
const wholeAnswer = (sql) => `query?format=csv&sql=${encodeURIComponent(sql)}`;
