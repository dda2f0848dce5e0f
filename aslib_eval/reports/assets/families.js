"use strict";
// Families: the numbers and charts of the instances with one value of an attribute. SBS
// stays the scenario's, so that the gaps of families add up; who is best here is said.
// data.families: {attribute: {names: [value], of: [instance → its place in names or null]}}

const NOT_KNOWN = "(not known)";
chosen.family = null; // {attribute, place}: null = the whole scenario, a place null = not known

// SBS stays that of all instances, and what it solves is told of the family.
const TOLD_OF = [["The best of ", "In the whole scenario the best of "], [", which solves ", "; here it solves "]];

const families = {
  of: ({ attribute, place }) => view.portfolio.families[attribute].of.flatMap((at, i) => (at === place ? [i] : [])),
  name: ({ attribute, place }) => (place === null ? NOT_KNOWN : view.portfolio.families[attribute].names[place]),
  told: () => (chosen.family ? [`${chosen.family.attribute} = ${families.name(chosen.family)}`] : []),
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
    byId("reset")?.addEventListener("click", () => { chosen.family = null; select.value = ""; });
  },
  // What is told of the whole scenario says so, and who is best here stands beside it.
  tell({ on, rows, mean, share, vbs, sbs }) {
    const says = byId("family-says"), { solvers } = view.portfolio;
    const glance = byId("glance");
    glance.dataset.base ??= glance.dataset.follows;
    glance.dataset.follows = chosen.family ? "part" : glance.dataset.base;
    for (const node of document.querySelector(".story").childNodes) {
      for (const [all, one] of TOLD_OF) if (node.nodeType === Node.TEXT_NODE) node.data = node.data.replace(...(chosen.family ? [all, one] : [one, all]));
    }
    if (!chosen.family || !rows.length) { says.textContent = chosen.family ? "no instance" : ""; return; }
    const best = this.best(on, rows, mean, share);
    says.textContent = less(mean[sbs], vbs) ? `SBS is the scenario's; best here: ${solvers[best].name}` : "SBS equals VBS here: there is no gap";
  },
  best: (...of) => Portfolio.prototype.single.apply(view.portfolio, of),
};

const scoresOfAll = Portfolio.prototype.scores;
Portfolio.prototype.scores = function scores(choices) {
  const whole = scoresOfAll.call(this, choices);
  if (!chosen.family) return whole;
  const part = Object.create(this);
  part.instances = { map: () => families.of(chosen.family) };
  part.single = () => whole.sbs;
  return scoresOfAll.call(part, choices);
};
