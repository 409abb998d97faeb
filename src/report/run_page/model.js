// The data of the page: runs as rows, each of which shows a state and the step that leads there.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

/** An element with attributes and children; texts are texts, never markup. */
const make = (tag, attributes = {}, ...children) => {
  const isSvg = ['svg', 'g', 'rect', 'path', 'line', 'text', 'title', 'circle'].includes(tag);
  const made = isSvg
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'boolean' && name.startsWith('aria-')) made.setAttribute(name, String(value));
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

/** Whether the bit of a position is set in digits to the base 16, four bits in each. */
const bit = (digits, position) =>
  (parseInt(digits[position >> 2], 16) & (8 >> (position & 3))) !== 0;

/** A run as rows. A cycle is gone through as many rounds as the reader wants. */
class Run {
  constructor(source) {
    Object.assign(this, { lanes: [], by: [], with: [], label: [], replies: [], messages: [], pending: [], texts: [], notes: [], stop: '', others: {} }, source);
    this.rounds = 1;
    // The columns that change at each position, except for the first one.
    this.changed = [];
    this.columns.forEach((column, number) => {
      for (let k = 0; k < column.at.length; k++) {
        if (column.at[k] > 0) (this.changed[column.at[k]] ??= []).push(number);
      }
    });
  }

  get period() { return this.cycle === null ? 0 : this.n - this.cycle; }

  /** Whether the last step of the cycle leads back to its first state. */
  get closes() { return this.cycle !== null && this.ending === ''; }

  /** The number of rows. What goes wrong has a row of its own. */
  get count() {
    if (this.cycle !== null) return this.n + (this.rounds - 1) * this.period + (this.closes ? 1 : 0);
    return this.n + (this.wrong ? 1 : 0);
  }

  /** How often the reader may go through the cycle. */
  get maxRounds() {
    return this.period === 0 ? 1 : Math.max(1, Math.floor(300000 / this.period));
  }

  /** The position of the run that a row shows. */
  place(row) {
    if (row < this.n) return row;
    return this.cycle === null ? this.n - 1 : this.cycle + ((row - this.cycle) % this.period);
  }

  /** The round of the cycle that a row is part of; 0 before the cycle. */
  round(row) {
    if (this.cycle === null || row < this.cycle) return 0;
    return 1 + Math.floor((row - this.cycle) / this.period);
  }

  /** The step that leads to a row, by its number, or -1. */
  step(row) {
    const step = row === 0 ? -1 : this.place(row - 1);
    return step < this.by.length && this.noun === 'state' ? step : -1;
  }

  lane(row) { const step = this.step(row); return step < 0 ? -1 : this.by[step]; }
  partner(row) { const step = this.step(row); return step < 0 ? -1 : this.with[step]; }
  action(row) {
    const step = this.step(row);
    return step < 0 || this.by[step] < 0 ? '' : this.texts[this.label[step]];
  }

  /** What others do in the same step, where all processes move together: lanes and texts. */
  together(row) {
    const step = this.step(row);
    return (this.others[step] ?? []).map(([lane, text]) => [lane, this.texts[text]]);
  }

  /** What the partner of a step does, where that has words of its own. */
  reply(row) {
    const step = this.step(row);
    return step < 0 || this.replies[step] < 0 ? '' : this.texts[this.replies[step]];
  }
  /** Whether a row shows the state in which no process can move. */
  isStop(row) { return this.stop !== '' && this.place(row) === this.n - 1; }

  /** All that is done in the step to a row. */
  done(row) {
    return [this.action(row), this.reply(row), ...this.together(row).map(([, text]) => text)].filter(Boolean).join('; ');
  }

  /** Who moves to a row: `P with Q`. */
  mover(row) {
    if (row === 0) return this.noun === 'state' ? '(initial state)' : '';
    const [lane, partner] = [this.lane(row), this.partner(row)];
    if (lane < 0) return '';
    const others = this.together(row).map(([other]) => this.lanes[other]);
    if (others.length > 0) return [this.lanes[lane], ...others].join(', ');
    return partner < 0 ? this.lanes[lane] : `${this.lanes[lane]} with ${this.lanes[partner]}`;
  }

  /** The text of the value of a column at a position. */
  value(column, position) {
    const number = this.number(column, position);
    return number < 0 ? '' : this.columns[column].texts[number];
  }

  /** The number of that text among those of the column, or -1. */
  number(column, position) {
    const { at, is } = this.columns[column];
    let [low, high] = [0, at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle] <= position) low = middle + 1; else high = middle;
    }
    return low === 0 ? -1 : is[low - 1];
  }

  /** The columns whose values differ from those of the row before. */
  changes(row) {
    if (row === 0 || (this.wrong && row === this.n)) return [];
    const [before, now] = [this.place(row - 1), this.place(row)];
    if (before === now) return [];
    if (now === before + 1) return this.changed[now] ?? [];
    return [...this.columns.keys()].filter((column) => this.number(column, before) !== this.number(column, now));
  }

  /** What is still to be satisfied at a position. */
  obligations(position) {
    let found = [];
    for (const [at, list] of this.pending) {
      if (at > position) break;
      found = list;
    }
    return found.map((number) => this.texts[number]);
  }

  /** Messages by the rows to which their steps lead, in all rounds. */
  arrows() {
    const found = [];
    const steps = this.cycle === null ? this.by.length : this.n;
    for (const [sent, received, label] of this.messages) {
      const again = this.cycle !== null && sent >= this.cycle ? this.rounds : 1;
      for (let round = 0; round < again; round++) {
        const [from, to] = [sent, received].map((step) => step + 1 + round * this.period);
        if (to < this.count) {
          found.push({ from, to, label: this.texts[label], sender: this.lane(from), receiver: this.lane(to) });
        }
      }
    }
    return found;
  }
}

const runs = data.runs.map((source) => new Run(source));

/** What the reader looks at. */
const view = {
  property: 0,
  row: 0,
  /** The row where the reader began to search. */
  origin: 0,
  /** The rows that filters leave. */
  rows: [],
  hidden: new Set(),
  variables: [],
  found: [],
  get shown() { return data.properties[this.property]; },
  get run() { const run = this.shown?.run; return run === null || run === undefined ? null : runs[run]; },
  /** The number of a row among those that are left, or of the next one. */
  index(row) {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle] < row) low = middle + 1; else high = middle;
    }
    return low;
  },
  /** Whether the reader wants to see a variable. */
  wants(name) {
    const text = name.toLowerCase();
    return this.variables.length === 0 || this.variables.some((word) => text.includes(word));
  },
};

/** The parts of the page: each draws what it shows again. */
const parts = { all: [], selected: [] };
