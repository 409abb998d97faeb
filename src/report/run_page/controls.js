// What the reader does: select a step, go on, search, filter, and share an address.

const setText = (id, text) => { const found = byId(id); if (found) found.textContent = text; };

/** Writes the selected step into the address, without a new entry in the history. */
const setAddress = () => {
  const rounds = view.run.rounds > 1 ? `r${view.run.rounds}` : '';
  const address = `#p${view.property}s${view.row}${rounds}`;
  byId('link')?.setAttribute('href', address);
  history.replaceState(null, '', address);
};

/** Selects a row, and shows it in all parts of the page. */
function select(row, isQuiet = false) {
  const run = view.run;
  if (!run) return;
  view.row = Math.max(0, Math.min(row, run.count - 1));
  // A row that filters hide cannot be seen: the next one that is left can.
  if (view.rows.length > 0) view.row = view.rows[Math.min(view.index(view.row), view.rows.length - 1)];
  const place = run.place(view.row);
  byId('position').value = String(view.row);
  const isAgain = view.row !== place && !(run.wrong && view.row === run.n);
  setText('of', ` of ${run.count - 1}${isAgain ? ` (${run.noun} ${place} again)` : ''}`);
  for (const draw of parts.selected) draw();
  if (!isQuiet) setAddress();
}

/** Says how many rounds of the cycle are shown. */
const setRounds = (rounds) => {
  const run = view.run;
  run.rounds = Math.max(1, Math.min(run.maxRounds, rounds));
  byId('rounds').value = String(run.rounds);
  byId('rounds').max = String(run.maxRounds);
  byId('position').max = String(run.count - 1);
};

/** Selects a position of the whole run; the cycle is gone through as often as needed. */
function reach(position) {
  const run = view.run;
  if (run.count <= position && run.cycle !== null) {
    setRounds(Math.ceil((position + 1 - run.cycle) / run.period));
    filterRows();
  }
  select(position);
}

/** Finds the rows that filters leave. */
function filterRows() {
  const run = view.run;
  view.rows = [];
  for (let row = 0; row < run.count; row++) {
    const [lane, partner] = [run.lane(row), run.partner(row)];
    const isLeft = lane < 0 || run.together(row).some(([other]) => !view.hidden.has(other)) || !view.hidden.has(lane) || (partner >= 0 && !view.hidden.has(partner));
    if (isLeft) view.rows.push(row);
  }
  for (const draw of parts.all) draw();
  document.querySelectorAll('nav a').forEach((link) => {
    link.hidden = byId(link.getAttribute('href').slice(1))?.hidden ?? false;
  });
  findRows();
  select(view.row, true);
}

/** Which steps and which values have the text that the reader searches for, by position. */
const hits = (run, wanted) => {
  const step = new Uint8Array(run.n);
  const known = new Map();
  for (let position = 0; position < run.by.length; position++) {
    const row = position + 1;
    const key = [run.by[position], run.with[position], run.label[position], run.replies[position], JSON.stringify(run.others[position] ?? 0)].join();
    if (!known.has(key)) known.set(key, `${run.mover(row)}: ${run.done(row)}`.toLowerCase().includes(wanted));
    if (known.get(key)) step[position] = 1;
  }
  const value = new Uint8Array(run.n);
  const matches = run.columns.map(({ name, texts }) => texts.map((text) => `${name} = ${text}`.toLowerCase().includes(wanted)));
  run.columns.forEach(({ at, is }, column) => {
    for (let k = 0; k < at.length; k++) if (matches[column][is[k]]) value[at[k]] = 1;
  });
  // Where the cycle begins again, other values change than where it began.
  const again = run.closes || run.rounds > 1 ? run.changes(run.n) : [];
  const wraps = again.some((column) => matches[column][run.number(column, run.place(run.n))]);
  return { step, value, wraps };
};

/** Finds the rows that the reader searches for. */
function findRows() {
  const run = view.run;
  const wanted = byId('search').value.toLowerCase();
  view.found = [];
  if (wanted !== '') {
    const { step, value, wraps } = hits(run, wanted);
    for (const row of view.rows) {
      const by = run.step(row);
      const isAgain = row >= run.n && run.place(row) === run.cycle;
      const isEnd = run.wrong && row === run.n;
      const isChange = isEnd ? false : isAgain ? wraps : value[run.place(row)] === 1;
      if ((by >= 0 && step[by] === 1) || isChange) view.found.push(row);
    }
  }
  setText('found', wanted === '' ? '' : view.found.length === 1 ? '1 step' : `${view.found.length} steps`);
}

/** While the reader types, the first match behind the row where that began is shown. */
const findFrom = () => {
  findRows();
  const next = byId('search').value === '' ? view.origin : view.found.find((row) => row >= view.origin) ?? view.found[0];
  if (next !== undefined) select(next);
};

/** Goes to the next row that was found, or to the one before. */
const goToFound = (isForward) => {
  const next = isForward
    ? view.found.find((row) => row > view.row) ?? view.found[0]
    : view.found.findLast((row) => row < view.row) ?? view.found.at(-1);
  if (next === undefined) return;
  select(next);
  view.origin = view.row;
};

/** Goes to the next state with a value that causes the verdict. */
const goToCause = () => {
  const run = view.run;
  const terms = (view.shown.formula?.terms ?? []).filter((term) => term.op === '' && term.cause !== undefined);
  for (let step = 1; step <= run.n; step++) {
    const place = (run.place(view.row) + step) % run.n;
    if (terms.some((term) => bit(term.cause, place))) return select(place);
  }
};

/** Goes on by some rows among those that filters leave. */
const go = (distance) => {
  const index = view.index(view.row) + distance;
  const row = view.rows[Math.max(0, Math.min(index, view.rows.length - 1))];
  if (row !== undefined) select(row);
};

const show = (property, row, rounds = 1) => {
  view.property = property;
  view.hidden.clear();
  document.querySelectorAll('.property').forEach((one, number) => {
    if (data.properties.length > 1) one.setAttribute('aria-current', String(number === property));
  });
  const run = view.run;
  if (byId('controls')) byId('controls').hidden = run === null;
  for (const id of ['chart', 'steps', 'formula', 'fairness']) {
    const section = byId(id);
    if (section) section.hidden = run === null;
  }
  if (!run) return;
  const { violated } = view.shown;
  const last = Math.max(violated ?? 0, row);
  setRounds(Math.max(rounds, run.cycle === null ? 1 : Math.ceil((last + 1 - run.cycle - (run.closes ? 1 : 0)) / run.period)));
  byId('rounds-group').hidden = run.cycle === null;
  setText('noun', run.noun);
  view.row = Math.min(row, run.count - 1);
  const hasCauses = (view.shown.formula?.terms ?? []).some((term) => term.cause !== undefined);
  byId('cause').hidden = !hasCauses;
  filterRows();
};

/** The property and the row that an address leads to. */
const fromAddress = () => {
  const found = /^#p(\d+)s(\d+)(?:r(\d+))?$/.exec(location.hash);
  if (!found || Number(found[1]) >= data.properties.length) return null;
  return [Number(found[1]), Number(found[2]), Number(found[3] ?? 1)];
};

/** Where a reader begins: the state that decides, or the end if something goes wrong there. */
const start = (property) => {
  const { formula, violated, run } = data.properties[property];
  if (run === null) return 0;
  const { wrong, stop, n } = runs[run];
  return violated ?? (stop === 'deadlock' ? n - 1 : wrong ? n : formula?.main ?? (stop === '' ? 0 : n - 1));
};

const KEYS = {
  ArrowLeft: () => go(-1), ArrowRight: () => go(1), k: () => go(-1), j: () => go(1),
  Home: () => select(0), End: () => select(view.run.count - 1),
  n: () => goToFound(true), N: () => goToFound(false), c: goToCause,
  '/': () => byId('search').focus(),
};

const begin = () => {
  document.querySelectorAll('.property').forEach((one, number) => {
    if (data.properties.length < 2 || data.properties[number].run === null) return;
    const button = make('button', { type: 'button' }, 'show its run');
    button.addEventListener('click', () => { show(number, start(number)); setAddress(); });
    one.append(button);
  });
  const first = data.properties.findIndex((one) => one.run !== null);
  const target = fromAddress() ?? [Math.max(0, first), start(Math.max(0, first))];
  if (!byId('controls')) return;
  byId('first').addEventListener('click', () => select(0));
  byId('last').addEventListener('click', () => select(view.run.count - 1));
  byId('back').addEventListener('click', () => go(-1));
  byId('forward').addEventListener('click', () => go(1));
  byId('position').addEventListener('change', () => select(Number(byId('position').value) || 0));
  byId('rounds').addEventListener('change', () => {
    setRounds(Number(byId('rounds').value) || 1);
    filterRows();
    setAddress();
  });
  byId('search').addEventListener('focus', () => { view.origin = view.row; });
  byId('search').addEventListener('input', findFrom);
  byId('search').addEventListener('keydown', (event) => { if (event.key === 'Enter') goToFound(!event.shiftKey); });
  byId('found-on').addEventListener('click', () => goToFound(true));
  byId('found-back').addEventListener('click', () => goToFound(false));
  byId('cause').addEventListener('click', goToCause);
  byId('link').addEventListener('click', (event) => {
    event.preventDefault();
    setAddress();
    navigator.clipboard?.writeText(location.href).then(() => setText('link', 'address copied'), () => {});
  });
  addEventListener('hashchange', () => {
    const target = fromAddress();
    if (target && (target[0] !== view.property || target[1] !== view.row)) show(...target);
  });
  addEventListener('keydown', (event) => {
    if (event.target.closest('input:not([type=checkbox]), textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = KEYS[event.key];
    if (act && view.run) { event.preventDefault(); act(); }
  });
  show(...target);
};

begin();
