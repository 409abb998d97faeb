// The sequence chart: a lane for each process, a row for each step, arrows for messages.

const CHART_ROW = 30;
const GUTTER = 82;
const chart = { list: null, arrows: [], shift: new Map() };

/** Rows of a picture on paper, which is not broken over pages. */
const PAPER_ROWS = 20;
/** The width of a page of paper, about, in units of pictures. */
const PAPER_WIDTH = 680;

/** The lanes that filters leave, and where they are. */
const lanes = () => {
  const run = view.run;
  const shown = [...run.lanes.keys()].filter((lane) => !view.hidden.has(lane));
  const all = chart.list.isOnPaper ? PAPER_WIDTH : byId('chart-frame').clientWidth;
  const room = (all - GUTTER - 18) / Math.max(1, shown.length);
  const width = Math.max(118, Math.min(300, room));
  // Between boxes there is room for arrows, where there are any.
  const hasArrows = run.messages.length > 0 || run.with.some((lane) => lane >= 0);
  const half = (width - (hasArrows ? 44 : 16)) / 2;
  return { shown, width, half, x: new Map(shown.map((lane, number) => [lane, GUTTER + (number + 0.5) * width])) };
};

/** A text that fits into so many pixels. */
const fitted = (text, width) => {
  const length = Math.max(3, Math.floor(width / 6.9));
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};

const svgText = (text, x, y, attributes) => make('text', { x, y, ...attributes }, text);

const arrowHead = (x, y, dx, dy) => {
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [bx, by] = [x - 8 * ux, y - 8 * uy];
  return `M${x} ${y}L${bx - 4 * uy} ${by + 4 * ux}L${bx + 4 * uy} ${by - 4 * ux}Z`;
};

/** What is said of a row besides its step: it violates the property, or nothing can move. */
const markOf = (run, row) => {
  if (row === view.shown.violated) return '✗ violated';
  if (run.isStop(row)) return run.stop === 'deadlock' ? '✗ deadlock' : '■ end';
  return '';
};

/** What stands on the left of a row: its state, the cycle, and what is wrong there. */
const gutter = (group, run, row, y) => {
  const round = run.round(row);
  if (round > 0) {
    // The first row of the cycle is its first state; the step that leads there is none of it.
    const top = row === run.cycle ? y : y - CHART_ROW / 2;
    group.append(make('rect', { class: 'cycle', x: 2, y: top, width: 5, height: y + CHART_ROW / 2 - top }));
  }
  const isBegin = round > 0 && (row - run.cycle) % run.period === 0;
  const closes = run.closes && row === run.count - 1;
  const cycle = !isBegin ? '' : closes ? '↺ again' : round === 1 ? '↻ cycle' : `↻ ${round}`;
  const mark = markOf(run, row);
  const above = mark === '' ? cycle : mark + (isBegin ? ' ↻' : '');
  if (above !== '') group.append(svgText(above, 9, y - 5, { class: mark.startsWith('✗') ? 'bad-text' : 'small' }));
  const number = run.wrong && row === run.n ? '✗' : String(run.place(row));
  group.append(svgText(number, 11, y + (above === '' ? 4 : 9), { class: 'number' }));
};

const stepBox = (group, run, row, y, place) => {
  const [lane, partner] = [run.lane(row), run.partner(row)];
  const text = row === 0 ? '' : run.action(row);
  if (lane < 0) {
    const words = row === 0 ? '(initial state)' : '(no process can move)';
    group.append(svgText(words, GUTTER + 6, y + 4, { class: 'small' }));
    return;
  }
  const { half } = place;
  const [x, other] = [place.x.get(lane), place.x.get(partner)];
  if (x !== undefined && other !== undefined && lane !== partner) {
    const toRight = other > x;
    const reply = run.reply(row);
    const end = other - (toRight ? 1 : -1) * (reply === '' ? 7 : half + 1);
    const start = x + (toRight ? half : -half);
    group.append(make('path', { class: 'meet', d: `M${start} ${y}H${end}` }));
    group.append(make('path', { class: 'head', d: arrowHead(end, y, toRight ? 1 : -1, 0) }));
    if (reply === '') {
      group.append(make('circle', { class: 'met', cx: other, cy: y, r: 6 }, make('title', {}, `${run.lanes[partner]} takes part`)));
    } else {
      group.append(make('rect', { class: 'box', x: other - half, y: y - 11, width: 2 * half, height: 22, rx: 5 }));
      group.append(svgText(fitted(reply, 2 * half - 8), other, y + 4, { class: 'label', 'text-anchor': 'middle' }));
    }
  }
  const together = run.together(row).filter(([who]) => place.x.has(who));
  const places = [x, ...together.map(([who]) => place.x.get(who))].filter((at) => at !== undefined).sort((a, b) => a - b);
  if (together.length > 0) {
    for (let k = 0; k + 1 < places.length; k++) {
      group.append(make('path', { class: 'meet', d: `M${places[k] + half} ${y}H${places[k + 1] - half}` }));
    }
  }
  for (const [who, words] of together) {
    const at = place.x.get(who);
    group.append(make('rect', { class: 'box', x: at - half, y: y - 11, width: 2 * half, height: 22, rx: 5 }, make('title', {}, `${run.lanes[who]}: ${words}`)));
    group.append(svgText(fitted(words, 2 * half - 8), at, y + 4, { class: 'label', 'text-anchor': 'middle' }));
  }
  if (x === undefined) return;
  const isWrong = run.wrong && row === run.n;
  const box = { x: x - half, y: y - 11, width: 2 * half, height: 22, rx: 5 };
  const shown = isWrong ? `✗ ${text}` : text;
  group.append(make('rect', { class: isWrong ? 'box bad' : 'box', ...box }, make('title', {}, `${run.lanes[lane]}: ${shown}`)));
  group.append(svgText(fitted(shown, 2 * half - 8), x, y + 4, { class: 'label', 'text-anchor': 'middle' }));
};

/** The arrows of messages, and what they say, which stands above boxes. */
const messageLines = (group, labels, first, behind, place) => {
  for (const { from, to, label, sender, receiver } of chart.arrows) {
    const [start, end] = [view.index(from), view.index(to)];
    if (end < first || start >= behind || view.rows[start] !== from || view.rows[end] !== to) continue;
    const [x1, x2] = [place.x.get(sender), place.x.get(receiver)];
    if (x1 === undefined || x2 === undefined) continue;
    const [y1, y2] = [start, end].map((index) => (index - first + 0.5) * CHART_ROW);
    const side = x2 > x1 ? 1 : x2 < x1 ? -1 : 0;
    const { half } = place;
    const [sx, sy] = [side === 0 ? x1 + half : x1 + side * half, y1];
    const [ex, ey] = [side === 0 ? x2 + half : x2 - side * half, y2];
    const bend = side === 0 ? `C${sx + 26} ${sy} ${ex + 26} ${ey} ${ex} ${ey}` : `L${ex} ${ey}`;
    group.append(make('path', { class: 'message', d: `M${sx} ${sy}${bend}` }));
    const slope = side === 0 ? [-1, 0] : [ex - sx, ey - sy];
    group.append(make('path', { class: 'head', d: arrowHead(ex, ey, slope[0], slope[1]) }));
    // The text stands near the sender, where the arrow begins.
    const part = Math.min(0.5, 34 / Math.max(1, Math.hypot(ex - sx, ey - sy)));
    const anchor = side < 0 ? 'end' : 'start';
    const [tx, ty] = [sx + (ex - sx) * part + side * 4, sy + (ey - sy) * part - 4];
    labels.append(svgText(fitted(label, Math.max(70, place.width * 0.8)), tx, ty, { class: 'told', 'text-anchor': anchor }));
  }
};

/** On paper a chart consists of several pictures, each as wide as the page. */
const drawChart = (first, behind) => {
  if (!chart.list.isOnPaper) return [drawRows(first, behind)];
  const pictures = [];
  for (let at = first; at < behind; at += PAPER_ROWS) pictures.push(drawRows(at, Math.min(behind, at + PAPER_ROWS)));
  return pictures;
};

const chartWidth = (place) => GUTTER + place.shown.length * place.width + 12;

const drawRows = (first, behind) => {
  const run = view.run;
  const place = lanes();
  const { isOnPaper } = chart.list;
  const width = isOnPaper ? Math.max(PAPER_WIDTH, chartWidth(place)) : Math.max(chartWidth(place), byId('chart-frame').clientWidth);
  const height = (behind - first) * CHART_ROW;
  const size = isOnPaper ? { viewBox: `0 0 ${width} ${height}` } : { width, height, style: `top:${first * CHART_ROW}px` };
  const svg = make('svg', { class: 'chart', ...size, 'aria-hidden': 'true' });
  const [under, over] = [make('g'), make('g')];
  for (let index = first; index < behind; index++) {
    const row = view.rows[index];
    const y = (index - first + 0.5) * CHART_ROW;
    const marks = ['band'];
    if (row === view.row) marks.push('selected');
    const mark = markOf(run, row);
    if (mark.startsWith('✗')) marks.push('violated');
    const band = make('rect', { class: marks.join(' '), x: 0, y: y - CHART_ROW / 2, width, height: CHART_ROW, 'data-row': row });
    band.append(make('title', {}, [run.mover(row), run.done(row)].filter(Boolean).join(': ')));
    under.append(band);
    gutter(over, run, row, y);
    stepBox(over, run, row, y, place);
  }
  for (const x of place.x.values()) under.append(make('path', { class: 'life', d: `M${x} 0V${height}` }));
  const [lines, labels] = [make('g', { class: 'through' }), make('g', { class: 'through' })];
  messageLines(lines, labels, first, behind, place);
  svg.append(under, lines, over, labels);
  chart.list.body.style.width = isOnPaper ? '100%' : `${width}px`;
  return svg;
};

const drawChartHead = () => {
  const place = lanes();
  const total = Math.max(PAPER_WIDTH, chartWidth(place));
  const size = (width) => (chart.list.isOnPaper ? `width:${(100 * width) / total}%` : `width:${width}px`);
  const names = place.shown.map((lane) =>
    make('span', { style: size(place.width), title: view.run.lanes[lane] }, view.run.lanes[lane]));
  chart.list.head.replaceChildren(make('span', { style: size(GUTTER) }, view.run.noun), ...names);
  chart.list.head.style.width = chart.list.isOnPaper ? '100%' : `${chartWidth(place)}px`;
};

/** Where the lanes of a row are: what has to be seen of it. */
const reachOf = (row) => {
  const place = lanes();
  const found = [view.run.lane(row), view.run.partner(row)].map((lane) => place.x.get(lane)).filter((x) => x !== undefined);
  if (found.length === 0) return [0, 0];
  const [left, right] = [Math.min(...found) - place.width / 2, Math.max(...found) + place.width / 2];
  // The numbers of states stay in sight where there is room for them.
  return right - left + GUTTER <= byId('chart-frame').clientWidth ? [left - GUTTER, right] : [left, right];
};

if (byId('chart-frame')) {
  chart.list = new Rows(byId('chart-frame'), () => CHART_ROW, drawChart);
  chart.list.drawHead = () => { if (!byId('chart').hidden && view.run) drawChartHead(); };
  lists.push(chart.list);
  addEventListener('resize', () => { if (view.run) drawChartHead(); });
  byId('chart-frame').addEventListener('click', (event) => {
    const index = Math.floor((event.clientY - chart.list.body.getBoundingClientRect().top) / CHART_ROW);
    if (view.rows[index] !== undefined) select(view.rows[index]);
  });
  parts.all.push(() => {
    const run = view.run;
    byId('chart').hidden = run === null || run.lanes.length === 0;
    if (byId('chart').hidden) return;
    chart.arrows = run.arrows();
    drawChartHead();
    chart.list.refresh();
    const box = (name, lane) => {
      const input = make('input', { type: 'checkbox', checked: !view.hidden.has(lane) });
      input.addEventListener('change', () => {
        if (input.checked) view.hidden.delete(lane); else view.hidden.add(lane);
        filterRows();
      });
      return make('label', {}, input, ' ', make('span', { class: 'text' }, name));
    };
    byId('lanes').replaceChildren(make('legend', {}, 'Processes'), ...run.lanes.map(box));
    byId('lanes').hidden = run.lanes.length < 2;
    const words = ['A box is a step of its process; the number is that of the state that it leads to.'];
    if (run.with.some((lane) => lane >= 0)) words.push('A level arrow is a step of two processes together.');
    if (Object.keys(run.others).length > 0) words.push('Boxes in a row are one step of all these processes.');
    if (run.messages.length > 0) words.push('A slanted arrow is a message, from the step that sends it to the one that receives it.');
    if (run.cycle !== null) words.push('The bar on the left marks the steps of the cycle, which is repeated for ever.');
    if (view.shown.violated !== null) words.push('What comes after the violation does not matter.');
    if (run.lanes.some((_, lane) => !run.by.includes(lane) && !run.with.includes(lane) && !Object.values(run.others).some((list) => list.some(([other]) => other === lane)))) words.push('A process without a box never moves.');
    byId('chart-legend').textContent = words.join(' ');
    byId('chart-frame').setAttribute('aria-label', `Sequence chart of ${run.lanes.length} processes and ${run.by.length} steps; the table below has the same steps as text`);
  });
  parts.selected.push(() => { if (!byId('chart').hidden) chart.list.show(view.row, reachOf(view.row)); });
}
