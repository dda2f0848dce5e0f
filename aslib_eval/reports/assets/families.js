"use strict";
// Families: the instances with one value of an attribute, to be chosen, and as a map of
// who is good where. SBS stays the scenario's, so that the gaps of families add up.
// data.families: {attribute: {names: [value], of: [instance → its place in names or null]}}

const NOT_KNOWN = "(not known)";

const families = {
  of: ({ attribute, place }) => view.portfolio.families[attribute].of.flatMap((at, i) => (at === place ? [i] : [])),
  name: ({ attribute, place }) => (place === null ? NOT_KNOWN : view.portfolio.families[attribute].names[place]),
  // All that can be chosen, in the order of the list.
  all: () => Object.entries(view.portfolio.families).flatMap(([attribute, { names, of }]) =>
    [...names.keys(), ...(of.includes(null) ? [null] : [])].map((place) => ({ attribute, place }))),
  remember() {
    remember("by", chosen.family?.attribute ?? null);
    remember("family", chosen.family && families.name(chosen.family));
  },
  // The list, and what the address says.
  open(portfolio) {
    const select = byId("family"), all = families.all();
    const groups = Object.keys(portfolio.families).map((attribute) => make("optgroup", { label: attribute },
      ...all.flatMap((one, at) => (one.attribute === attribute ? [make("option", { value: at }, `${families.name(one)} (${families.of(one).length})`)] : []))));
    select.append(make("option", { value: "" }, "all instances"), ...groups);
    const asked = all.findIndex((one) => one.attribute === state.get("by") && families.name(one) === state.get("family"));
    chosen.family = all[asked] ?? null;
    select.value = asked < 0 ? "" : asked;
    select.addEventListener("change", () => { chosen.family = all[select.value] ?? null; changed(portfolio); });
    byId("reset").addEventListener("click", () => { select.value = ""; });
  },
  choose(one) {
    const at = families.all().findIndex(({ attribute, place }) => attribute === one.attribute && place === one.place);
    byId("family").value = at;
    byId("family").dispatchEvent(new Event("change"));
  },
};

// Every family by every solver, the best in bold, darker where better.
function tellFamilies(holder) {
  const { portfolio } = view, which = byId("of"), how = byId("how");
  if (!which.options.length) {
    which.append(...Object.entries(portfolio.families).filter(([, { names }]) => names.length > 1)
      .map(([name]) => name).sort((a, b) => (b === "family") - (a === "family")).map((name) => make("option", {}, name)));
    how.append(...(portfolio.timed ? ["solved", "PARk"] : [portfolio.measure]).map((name) => make("option", {}, name)));
    for (const select of [which, how]) {
      if ([...select.options].some((option) => option.value === state.get(select.id))) select.value = state.get(select.id);
      select.addEventListener("change", () => { remember(select.id, select.selectedIndex ? select.value : null); holder.replaceChildren(); tellFamilies(holder); });
    }
  }
  const counted = new Set(view.scores.rows), shares = how.value === "solved", order = byMean(), better = shares || portfolio.maximize ? "max" : "min";
  const all = families.all().filter(({ attribute }) => attribute === which.value).map((one) => {
    const rows = families.of(one).filter((i) => counted.has(i));
    const values = order.map((s) => (shares ? average(rows, (i) => portfolio.solved[s][i]) : portfolio.own(average(rows, (i) => portfolio.cost(s, i, chosen.k)))));
    const known = values.filter((v) => v !== null), best = new Set(known).size > 1 ? Math[better](...known) : null;
    return { values: [families.name(one), rows.length, ...values], best, from: 2, n: rows.length, open: () => families.choose(one), tint: tinted(values, better) };
  });
  const unit = shares ? "" : portfolio.unit && ` [${portfolio.unit}]`;
  const caption = `${shares ? "Share solved" : portfolio.timed ? `PAR${shown(chosen.k)}${unit}` : `Mean ${portfolio.measure}`} of every family, the best in bold`;
  longTable(holder, { id: "families-table", caption, rows: all,
    columns: [{ title: which.value, about: "choose it: the whole page is computed for it" }, { title: "n", about: "instances" }, ...order.map((s) => ({ title: portfolio.solvers[s].name }))] });
}

// From 0 for the worst of a row to 1 for its best.
function tinted(values, better) {
  const sign = better === "max" ? 1 : -1, known = values.filter((v) => v !== null).map((v) => sign * v);
  const low = Math.min(...known), high = Math.max(...known);
  return [null, null, ...values.map((v) => (v === null || !(high > low) ? 0 : (sign * v - low) / (high - low)))];
}
