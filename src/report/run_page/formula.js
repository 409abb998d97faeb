// The formula as a tree: where each part is true along the run, and which values decide.

/** A strip has so many cells at most; of longer runs, several states share one. */
const MAX_CELLS = 400;
const strips = { lines: [] };

/** The states of a strip, cell by cell: `is(position)` for each of them, none, or some. */
const cells = (n, is) => {
  const count = Math.min(n, MAX_CELLS);
  const list = [];
  for (let number = 0; number < count; number++) {
    const [first, behind] = [Math.floor(number * n / count), Math.floor((number + 1) * n / count)];
    let set = 0;
    for (let position = first; position < behind; position++) if (is(position)) set++;
    list.push(set === 0 ? 0 : set === behind - first ? 2 : 1);
  }
  return list;
};

/** Rectangles for the cells of a kind, neighbours together. */
const area = (list, kind, y, height) => {
  let path = '';
  for (let start = 0; start < list.length; start++) {
    if (list[start] !== kind) continue;
    let end = start + 1;
    while (end < list.length && list[end] === kind) end++;
    path += `M${start} ${y}H${end}V${y + height}H${start}Z`;
    start = end;
  }
  return path;
};

/** Positions in words: `0-3, 7`. */
const ranges = (n, is) => {
  const found = [];
  for (let start = 0; start < n && found.length < 9; start++) {
    if (!is(start)) continue;
    let end = start;
    while (end + 1 < n && is(end + 1)) end++;
    found.push(start === end ? `${start}` : `${start}-${end}`);
    start = end;
  }
  return found.length > 8 ? `${found.slice(0, 8).join(', ')} …` : found.join(', ');
};

/** A strip; a click selects the state under it. */
const strip = (run, label, isTrue, isUnknown, isCause) => {
  const list = cells(run.n, isTrue);
  const svg = make('svg', { class: 'strip', viewBox: `0 0 ${list.length} 20`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label });
  svg.append(make('path', { class: 'base', d: `M0 13.5H${list.length}` }));
  svg.append(make('path', { class: 'is-true', d: area(list, 2, 2, 12) }));
  svg.append(make('path', { class: 'is-mixed', d: area(list, 1, 7, 7) }));
  if (isUnknown) {
    const unknown = cells(run.n, isUnknown);
    svg.append(make('path', { class: 'is-unknown', d: area(unknown.map((set) => (set > 0 ? 1 : 0)), 1, 9, 2) }));
  }
  if (isCause) {
    const causes = cells(run.n, isCause).map((set) => (set > 0 ? 1 : 0));
    svg.append(make('path', { class: 'is-cause', d: area(causes, 1, 16, 4) }));
  }
  if (run.cycle !== null) {
    const x = run.cycle * list.length / run.n;
    svg.append(make('path', { class: 'loop', d: `M${x} 0V20` }));
  }
  const line = make('rect', { class: 'cursor', x: 0, y: 0, width: list.length / Math.max(run.n, 1), height: 20 });
  svg.append(line);
  strips.lines.push((place) => line.setAttribute('x', place * list.length / run.n));
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    select(Math.min(run.n - 1, Math.max(0, Math.floor(part * run.n))));
  });
  return svg;
};

/** What a part is at a position: true, false or not known. */
const valueOf = (term, place) => {
  if (term.true === undefined) return null;
  if (bit(term.true, place)) return true;
  return term.false !== undefined && !bit(term.false, place) ? null : false;
};

/** What is said of a part of the formula because it decides. */
const badge = (formula, number) => {
  const step = (formula.line ?? []).find(([term]) => term === number);
  if (!step) return null;
  const run = view.run;
  const [, position] = step;
  const ever = formula.ever.find(({ term }) => term === number);
  const words = ever
    ? `never ${!ever.value} from ${run.noun} ${position} on`
    : `decides in ${run.noun} ${position}`;
  const button = make('button', { type: 'button', class: 'badge', title: `Go to ${run.noun} ${position}` }, `▸ ${words}`);
  button.addEventListener('click', () => reach(position));
  return button;
};

const treeRow = (formula, number, depth, isRepeated) => {
  const run = view.run;
  const term = formula.terms[number];
  const text = term.text ?? `${term.op} … (long)`;
  const isTrue = (place) => valueOf(term, place) === true;
  const truth = make('span', { class: 'truth' });
  const row = make('div', { role: 'treeitem', 'aria-level': depth + 1, class: 'term', style: `--depth:${Math.min(depth, 12)}`, tabindex: number === formula.root && depth === 0 ? '0' : '-1' },
    truth,
    make('span', { class: 'part' },
      make('code', { class: 'text', title: text }, text), isRepeated ? make('span', { class: 'none' }, ' (as above)') : null,
      ' ', badge(formula, number)));
  if (term.true !== undefined && run) {
    const unknown = term.false === undefined ? null : (place) => valueOf(term, place) === null;
    const cause = term.cause === undefined ? null : (place) => bit(term.cause, place);
    const label = `true in ${run.noun}s ${ranges(run.n, isTrue) || 'none'}${cause ? `; decides in ${ranges(run.n, cause)}` : ''}`;
    row.append(strip(run, label, isTrue, unknown, cause));
    strips.lines.push((place) => {
      const value = valueOf(term, place);
      const mark = term.cause !== undefined && bit(term.cause, place) ? ' ●' : '';
      truth.textContent = `${value === null ? '? open' : value ? '✓ true' : '✗ false'}${mark}`;
      truth.className = `truth ${value === null ? 'open' : value ? 'yes' : 'no'}`;
      truth.title = mark ? 'this value decides' : '';
    });
  }
  return row;
};

/** The parts from the whole to the atoms; a part that occurs twice is taken apart once. */
const drawTree = (formula) => {
  const rows = [];
  const open = [[formula.root, 0]];
  const seen = new Set();
  while (open.length > 0) {
    const [number, depth] = open.pop();
    const parts = formula.terms[number].parts;
    const isRepeated = seen.has(number) && parts.length > 0;
    rows.push(treeRow(formula, number, depth, isRepeated));
    if (!isRepeated) open.push(...[...parts].reverse().map((part) => [part, depth + 1]));
    seen.add(number);
  }
  return rows;
};

/** Moves among the parts of the formula by keys, as in any tree. */
const treeKey = (event) => {
  const items = [...byId('tree').children];
  const at = items.indexOf(event.target);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const level = (item) => Number(item.getAttribute('aria-level'));
  const target = {
    ArrowDown: () => items[at + 1], ArrowUp: () => items[at - 1], Home: () => items[0], End: () => items.at(-1),
    ArrowLeft: () => items.slice(0, at).findLast((item) => level(item) < level(items[at])),
    ArrowRight: () => (items[at + 1] && level(items[at + 1]) > level(items[at]) ? items[at + 1] : undefined),
    Enter: () => { items[at].querySelector('.badge')?.click(); return undefined; },
  }[event.key];
  if (!target) return;
  event.preventDefault();
  event.stopPropagation();
  const next = target();
  if (!next) return;
  for (const item of items) item.setAttribute('tabindex', item === next ? '0' : '-1');
  next.focus();
};

/** The values that decide, atom by atom. */
const drawCauses = (formula) => {
  const run = view.run;
  const items = [];
  for (const term of formula.terms) {
    if (term.op !== '' || term.cause === undefined) continue;
    for (const value of [true, false]) {
      const is = (place) => bit(term.cause, place) && valueOf(term, place) === value;
      const list = ranges(run.n, is);
      if (list === '') continue;
      const first = [...Array(run.n).keys()].find(is);
      const button = make('button', { type: 'button', class: 'badge' }, `${run.noun}${/^\d+$/.test(list) ? '' : 's'} ${list}`);
      button.addEventListener('click', () => select(first));
      items.push(make('li', {}, make('code', { class: 'text' }, term.text), ` is ${value} in `, button));
    }
  }
  if (items.length === 0) return [];
  return [make('h3', {}, 'The values that cause it'),
    make('p', { class: 'none' }, 'Any run of this shape with these values has the same verdict, whatever its other values are.'),
    make('ul', {}, ...items)];
};

if (byId('tree')) {
  byId('tree').addEventListener('keydown', treeKey);
  parts.all.push(() => {
    const { formula } = view.shown;
    byId('formula').hidden = view.shown.run === null;
    strips.lines = [];
    const hasTree = formula !== null && view.run !== null;
    const hasValues = hasTree && formula.terms[formula.root].true !== undefined;
    const undecided = 'The formula is not followed along this run: the run ends before it is decided, or is too long.';
    byId('formula-text').textContent = byId('formula').hidden || hasValues ? ''
      : formula === null ? 'There is no formula here, or one with too many parts to be drawn.' : undecided;
    byId('tree').replaceChildren(...(hasTree ? drawTree(formula) : []));
    byId('causes').replaceChildren(...(hasTree && formula.terms[0]?.true !== undefined ? drawCauses(formula) : []));
    byId('formula-legend').textContent = hasValues
      ? 'A strip shows the run from left to right: a high bar where a part is true, a line where it is false; a mark below it where its value decides about the whole, ● in the selected state. The dashed line is where the cycle begins.'
      : '';
  });
  parts.selected.push(() => {
    if (view.run) strips.lines.forEach((move) => move(view.run.place(view.row)));
  });
}
