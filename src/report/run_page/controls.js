// What the reader does: select a step, go on, search, filter, and share an address.

const setText = (id, text) => { const found = byId(id); if (found) found.textContent = text; };

/** Writes the selected step into the address, without a new entry in the history. */
const setAddress = () => {
  const address = `#p${view.property}s${view.row}`;
  byId('link')?.setAttribute('href', address);
  history.replaceState(null, '', address);
};

/** Selects a row, and shows it in all parts of the page. */
function select(row, isQuiet = false) {
  const run = view.run;
  if (!run) return;
  view.row = Math.max(0, Math.min(row, run.count - 1));
  const place = run.place(view.row);
  byId('position').value = String(view.row);
  const isAgain = view.row !== place && !(run.wrong && view.row === run.n);
  setText('of', ` of ${run.count - 1}${isAgain ? ` (${run.noun} ${place} again)` : ''}`);
  for (const draw of parts.selected) draw();
  if (!isQuiet) setAddress();
}

/** Finds the rows that filters leave. */
function filterRows() {
  const run = view.run;
  view.rows = [];
  for (let row = 0; row < run.count; row++) {
    const [lane, partner] = [run.lane(row), run.partner(row)];
    const isLeft = lane < 0 || !view.hidden.has(lane) || (partner >= 0 && !view.hidden.has(partner));
    if (isLeft) view.rows.push(row);
  }
  for (const draw of parts.all) draw();
  document.querySelectorAll('nav a').forEach((link) => {
    link.hidden = byId(link.getAttribute('href').slice(1))?.hidden ?? false;
  });
  findRows();
  select(view.row, true);
}

/** Finds the rows that the reader searches for. */
function findRows() {
  const run = view.run;
  const wanted = byId('search').value.toLowerCase();
  view.found = [];
  if (wanted !== '') {
    const texts = run.columns.map(({ name, texts }) => texts.map((text) => `${name} = ${text}`.toLowerCase()));
    const hits = run.columns.map((_, column) => {
      const is = texts[column].map((text) => text.includes(wanted));
      return is.includes(true) ? is : null;
    });
    for (const row of view.rows) {
      const isStep = `${run.mover(row)}: ${run.done(row)}`.toLowerCase().includes(wanted);
      const changed = (column) => {
        const is = hits[column];
        return is !== null && is[run.columns[column].texts.indexOf(run.value(column, run.place(row)))];
      };
      if (isStep || (row === 0 ? run.columns.some((_, column) => changed(column)) : run.changes(row).some(changed))) {
        view.found.push(row);
      }
    }
  }
  setText('found', wanted === '' ? '' : view.found.length === 1 ? '1 step' : `${view.found.length} steps`);
}

/** Goes to the next row that was found, or to the one before. */
const goToFound = (isForward) => {
  const next = isForward
    ? view.found.find((row) => row > view.row) ?? view.found[0]
    : view.found.findLast((row) => row < view.row) ?? view.found.at(-1);
  if (next !== undefined) select(next);
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

const show = (property, row) => {
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
  while (violated !== null && run.count <= violated && run.rounds < run.maxRounds) run.rounds++;
  while (run.count <= row && run.rounds < run.maxRounds) run.rounds++;
  byId('rounds').value = String(run.rounds);
  byId('rounds').max = String(run.maxRounds);
  byId('rounds-group').hidden = run.cycle === null;
  setText('noun', run.noun);
  byId('position').max = String(run.count - 1);
  view.row = Math.min(row, run.count - 1);
  const hasCauses = (view.shown.formula?.terms ?? []).some((term) => term.cause !== undefined);
  byId('cause').hidden = !hasCauses;
  filterRows();
};

/** The property and the row that an address leads to. */
const fromAddress = () => {
  const found = /^#p(\d+)s(\d+)$/.exec(location.hash);
  if (!found || Number(found[1]) >= data.properties.length) return null;
  return [Number(found[1]), Number(found[2])];
};

/** Where a reader begins: the state that decides. */
const start = (property) => {
  const { formula, violated, run } = data.properties[property];
  if (run === null) return 0;
  return violated ?? formula?.line?.at(-1)?.[1] ?? (runs[run].wrong ? runs[run].n : 0);
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
  const [property, row] = fromAddress() ?? [Math.max(0, first), start(Math.max(0, first))];
  if (!byId('controls')) return;
  byId('first').addEventListener('click', () => select(0));
  byId('last').addEventListener('click', () => select(view.run.count - 1));
  byId('back').addEventListener('click', () => go(-1));
  byId('forward').addEventListener('click', () => go(1));
  byId('position').addEventListener('change', () => select(Number(byId('position').value) || 0));
  byId('rounds').addEventListener('change', () => {
    const run = view.run;
    run.rounds = Math.max(1, Math.min(run.maxRounds, Number(byId('rounds').value) || 1));
    byId('rounds').value = String(run.rounds);
    byId('position').max = String(run.count - 1);
    filterRows();
  });
  byId('search').addEventListener('input', () => { findRows(); if (view.found.length > 0) goToFound(true); });
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
    if (event.target.closest('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = KEYS[event.key];
    if (act && view.run) { event.preventDefault(); act(); }
  });
  show(property, row);
};

begin();
