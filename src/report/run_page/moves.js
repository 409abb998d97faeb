// Who could move, and who did: is the run fair?

/** What is said of a process on a cycle. */
const judge = (enabled, taken, period) => {
  if (taken > 0) return ['fine', `moves ${taken === 1 ? 'once' : `${taken} times`} in each round: fair`];
  if (enabled === 0) return ['none', 'can never move in the cycle, so it is not neglected'];
  if (enabled === period) return ['wrong', 'neglected: can always move, and never does'];
  return ['wrong', 'neglected if runs have to be strongly fair: can move again and again, and never does'];
};

if (byId('moves')) {
  parts.all.push(() => {
    const { activity } = view.shown;
    const run = view.run;
    byId('fairness').hidden = run === null || activity.length === 0 || run.cycle === null;
    if (byId('fairness').hidden) return;
    const rows = activity.map(({ name, enabled, taken }) => {
      const count = (row) => {
        let found = 0;
        for (let place = run.cycle; place < run.n; place++) if (bit(row, place)) found++;
        return found;
      };
      const [can, does] = [count(enabled), count(taken)];
      const [mark, words] = judge(can, does, run.period);
      const label = `can move in states ${ranges(run.n, (place) => bit(enabled, place)) || 'none'}; moves in states ${ranges(run.n, (place) => bit(taken, place)) || 'none'}`;
      const drawn = strip(run, label, (place) => bit(enabled, place), null, (place) => bit(taken, place));
      return make('tr', {},
        make('th', { scope: 'row', class: 'text' }, name),
        make('td', {}, `${can} of ${run.period}`), make('td', {}, String(does)),
        make('td', { class: `left ${mark}` }, words), make('td', { class: 'along' }, drawn));
    });
    const head = ['process', 'can move in the cycle', 'moves', '', 'along the run'].map((name) => make('th', { scope: 'col' }, name));
    byId('moves').replaceChildren(
      make('div', { class: 'scroll' }, make('table', { class: 'moves' }, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows))),
      make('p', { class: 'legend' }, 'A high bar: the process can move in this state. A mark below it: it does.'));
  });
}
