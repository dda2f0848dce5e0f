"use strict";
// The portfolio under the reader's choices: PARk, SBS, VBS and the closed gap anew.
// data: {solvers: [{name, kind}], instances, cutoff, timed, par1: [solver][instance] or
// null where all repetitions are unsolved, part: [[solver, instance, share]] where only a
// share of the repetitions is solved, featureCost, presolved, k, strict, criterion}

class Portfolio {
  constructor(data) {
    Object.assign(this, data);
    this.algorithms = data.solvers.map((s, i) => i).filter((i) => data.solvers[i].kind === "algorithm");
    this.selectors = data.solvers.map((s, i) => i).filter((i) => data.solvers[i].kind === "selector");
    this.solved = data.par1.map((column) => column.map((v) => (v === null ? 0 : 1)));
    for (const [s, i, share] of data.part) this.solved[s][i] = share;
  }

  // PARk is linear in k: at k = 1 it is PAR1, and each unsolved share costs (k - 1) cutoffs.
  cost(s, i, k) {
    const value = this.par1[s][i];
    if (!this.timed) return value;
    return (value ?? this.cutoff) + (k - 1) * this.cutoff * (1 - this.solved[s][i]);
  }

  // A cost in the direction of its measure.
  own(cost) {
    return cost === null || !this.maximize ? cost : 0 - cost;
  }

  time(s, i) {
    return this.timed && this.solved[s][i] === 0 ? null : this.par1[s][i];
  }

  // Who is best on an instance: all of these whose value is the least, to 12 digits.
  best(of, value) {
    const values = of.map(value), least = values.reduce((a, b) => Math.min(a, b), Infinity);
    return of.filter((_, at) => less(values[at], least) === 0);
  }

  // {rows: instances that count, mean: [solver], vbs, vws, sbs, gap: [solver], …}
  // part: the instances of which they are, null for all; SBS is then that of all.
  scores({ k, drop, off, part = null }) {
    const on = this.algorithms.filter((s) => !off.has(s));
    const rows = (part ?? this.instances.map((_, i) => i)).filter((i) => !drop || !this.timed || on.some((s) => this.solved[s][i] > 0));
    const mean = this.solvers.map((_, s) => average(rows, (i) => this.cost(s, i, k)));
    const share = this.solvers.map((_, s) => average(rows, (i) => this.solved[s][i]));
    const ends = (pick) => average(rows, (i) => pick(...on.map((s) => this.cost(s, i, k))));
    const vbs = ends(Math.min), vws = ends(Math.max), sbs = part ? this.scores({ k, drop, off }).sbs : this.single(on, rows, mean, share);
    const zero = mean[sbs];
    const gapOf = (m) => (m === null || !less(zero, vbs) ? null : less(zero, m) / less(zero, vbs));
    const attainable = this.attainable(on, rows, k);
    return { on, rows, k, mean, share, vbs, vws, sbs, attainable, gap: mean.map(gapOf), gapOf,
      unsolvable: rows.filter((i) => !on.some((s) => this.solved[s][i] > 0)).length,
      solvedByVbs: average(rows, (i) => Math.max(...on.map((s) => this.solved[s][i]))) };
  }

  // The algorithm of least mean cost (or as the protocol says), the first by name of
  // equals: to 12 digits, as the macro sbs_order compares.
  single(on, rows, mean, share) {
    const value = { par: (s) => mean[s], solved: (s) => -share[s],
      par1: (s) => average(rows, (i) => this.cost(s, i, 1)) }[this.timed ? this.criterion : "par"];
    const worth = on.map((s) => Number((value(s) ?? Infinity).toPrecision(12)));
    return on[worth.indexOf(worth.reduce((a, b) => Math.min(a, b), Infinity))];
  }

  // Mean cost of a VBS that pays for the features first; null where that cannot be said.
  attainable(on, rows, k) {
    if (!this.timed || !this.featureCost || this.part.length) return null;
    return average(rows, (i) => {
      const best = on.reduce((b, s) => (this.cost(s, i, k) < this.cost(b, i, k) ? s : b));
      const total = this.featureCost[i] + (this.presolved[i] ? 0 : this.par1[best][i] ?? Infinity);
      return total < this.cutoff || (!this.strict && total === this.cutoff) ? total : k * this.cutoff;
    });
  }
}

// The difference of two scores: 0 where it is but the rounding of their sums, which are
// known to 12 digits.
function less(a, b) {
  return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) ? 0 : a - b;
}

// A mean, summed with the rounding carried along (Neumaier); null of nothing.
function average(rows, value) {
  if (!rows.length) return null;
  let sum = 0, lost = 0;
  for (const row of rows) {
    const v = value(row);
    if (v === null) return null;
    const next = sum + v;
    lost += Math.abs(sum) >= Math.abs(v) ? sum - next + v : v - next + sum;
    sum = next;
  }
  return (sum + lost) / rows.length;
}
