// The steps as a table, and the values in the selected state.

/** In a small window, a row has a line for each of its cells. */
const tableRow = () => (small.matches && !byId('all-values').checked && view.run?.noun === 'state' ? 72 : 28);
/** So many variables are listed; others are found by the filter. */
const MAX_LISTED = 400;
const table = { list: null };

const wantedColumns = () => {
  const run = view.run;
  return [...run.columns.keys()].filter((column) => view.wants(run.columns[column].name));
};

const cell = (content, attributes = {}) => make('span', { role: 'gridcell', ...attributes }, content);

/** A change in words, marked by more than a colour. */
const changeText = (run, column, row) => {
  const name = run.columns[column].name;
  return make('span', { class: 'change' }, `${name} = `, make('b', {}, run.value(column, run.place(row))));
};

const drawTableRow = (row, index, columns, isWide) => {
  const run = view.run;
  const isEnd = run.wrong && row === run.n;
  const round = run.round(row);
  const marks = ['row'];
  if (row === view.row) marks.push('selected');
  if (row === view.shown.violated) marks.push('violated');
  if (run.isStop(row)) marks.push(run.stop === 'deadlock' ? 'stuck' : 'over');
  if (round > 0) marks.push('in-cycle');
  const isAgain = run.closes && row === run.count - 1;
  const number = isEnd ? '✗' : `${run.place(row)}${isAgain ? ' again' : round > 1 ? ` (round ${round})` : ''}`;
  const cells = [cell(make('span', {}, `${round > 0 ? '↻ ' : ''}${number}`), { class: 'state' })];
  if (run.noun === 'state') {
    cells.push(cell(run.mover(row), { class: 'text', title: run.mover(row) }));
    cells.push(cell(run.done(row), { class: 'text', title: run.done(row) }));
  }
  const changed = new Set(run.changes(row));
  if (isWide) {
    for (const column of columns) {
      const value = run.value(column, run.place(row));
      const isNew = changed.has(column);
      cells.push(cell(isNew ? make('b', {}, value) : value, { class: isNew ? 'text new' : 'text', title: value }));
    }
  } else {
    const list = row === 0 ? columns : columns.filter((column) => changed.has(column));
    const words = list.slice(0, 60).flatMap((column, k) => [k > 0 ? ', ' : '', changeText(run, column, row)]);
    const text = make('span', { role: 'gridcell', class: 'text changes' }, ...words);
    if (isEnd) text.append(run.ending);
    text.title = text.textContent;
    cells.push(text);
  }
  const attributes = { role: 'row', class: marks.join(' '), 'data-row': row, 'aria-rowindex': index + 2, 'aria-selected': row === view.row };
  const place = table.list.isOnPaper ? '' : `top:${index * table.list.height}px;height:${table.list.height}px;`;
  return make('div', { ...attributes, style: `${place}grid-template-columns:${table.columns}` }, ...cells);
};

const drawTable = (first, behind) => {
  const columns = wantedColumns();
  const isWide = byId('all-values').checked;
  const rows = [];
  for (let index = first; index < behind; index++) rows.push(drawTableRow(view.rows[index], index, columns, isWide));
  return rows;
};

const drawTableHead = () => {
  const run = view.run;
  const isWide = byId('all-values').checked;
  const columns = wantedColumns();
  const names = [run.noun];
  const widths = ['7.5rem'];
  if (run.noun === 'state') {
    names.push('who', 'what');
    const longest = run.lanes.reduce((most, name) => Math.max(most, name.length), 6);
    widths.push(`minmax(${Math.min(18, longest + 2)}ch, 1fr)`, 'minmax(8rem, 2fr)');
  }
  if (isWide) {
    for (const column of columns) {
      names.push(run.columns[column].name);
      const longest = Math.max(run.columns[column].name.length, ...run.columns[column].texts.map((text) => text.length));
      widths.push(`${Math.min(24, longest + 2)}ch`);
    }
  } else {
    names.push('changes');
    widths.push('minmax(10rem, 4fr)');
  }
  const isNarrow = tableRow() > 28;
  table.columns = isNarrow ? '5.2rem minmax(0, 1fr)' : widths.join(' ');
  byId('table-frame').classList.toggle('narrow', isNarrow);
  const heads = names.map((name) => make('span', { role: 'columnheader', class: 'text', title: name }, name));
  table.list.head.replaceChildren(make('div', { role: 'row', class: 'row', style: `grid-template-columns:${table.columns}` }, ...heads));
  table.list.body.style.minWidth = table.list.head.style.minWidth = isWide ? 'max-content' : '';
  byId('table-frame').setAttribute('aria-rowcount', view.rows.length + 1);
};

/** The values in the selected state; those that have changed come with what they were. */
const drawValues = () => {
  const run = view.run;
  const place = run.place(view.row);
  byId('values-title').textContent = run.wrong && view.row === run.n
    ? `Values in ${run.noun} ${place}, where the step ${run.ending}`
    : `Values in ${run.noun} ${place}`;
  const changed = new Set(run.changes(view.row));
  const columns = wantedColumns();
  const rows = columns.slice(0, MAX_LISTED).map((column) => {
    const { name } = run.columns[column];
    const value = run.value(column, place);
    const isNew = changed.has(column);
    const before = isNew ? make('span', { class: 'before' }, run.value(column, run.place(view.row - 1)), ' → ') : null;
    return make('div', { class: isNew ? 'value new' : 'value' },
      make('dt', { class: 'text' }, name),
      make('dd', { class: 'text', 'data-name': name, 'data-value': value }, before, isNew ? make('b', {}, value) : value));
  });
  byId('values').replaceChildren(make('dl', {}, ...rows));
  if (columns.length > MAX_LISTED) {
    byId('values').append(make('p', { class: 'none' }, `${columns.length - MAX_LISTED} more: filter by name`));
  }
  const obligations = run.obligations(place);
  const ends = run.ending !== '' && place === run.n - 1 ? [make('p', { class: 'ending' }, `Here: ${run.ending}.`)] : [];
  for (const note of run.notes) byId('values').append(make('p', { class: 'none' }, note));
  const list = obligations.map((text) => make('li', { class: 'text' }, make('code', {}, text)));
  const pending = list.length > 0 ? [make('h3', {}, `What the rest of the run still has to satisfy: parts of ${view.shown.pending}`), make('ul', {}, ...list)] : [];
  byId('pending').replaceChildren(...ends, ...pending);
};

if (byId('table-frame')) {
  table.list = new Rows(byId('table-frame'), tableRow, drawTable);
  table.list.head.setAttribute('role', 'rowgroup');
  table.list.body.setAttribute('role', 'rowgroup');
  small.addEventListener('change', () => { if (view.run) { drawTableHead(); table.list.refresh(); } });
  lists.push(table.list);
  byId('table-frame').addEventListener('click', (event) => {
    const row = event.target.closest('[data-row]');
    if (row) select(Number(row.dataset.row));
  });
  const again = () => { drawTableHead(); table.list.refresh(); drawValues(); };
  byId('all-values').addEventListener('change', again);
  byId('variables').addEventListener('input', () => {
    view.variables = byId('variables').value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    again();
  });
  parts.all.push(() => {
    byId('steps').hidden = view.run === null;
    if (view.run) { drawTableHead(); table.list.refresh(); }
  });
  parts.selected.push(() => {
    if (view.run) { table.list.show(view.row); drawValues(); }
  });
}
