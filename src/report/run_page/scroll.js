// A list of rows of the same height, of which only those in sight are drawn.

/** Rows that are drawn outside of what can be seen. */
const MARGIN = 12;
/** Rows on paper: of longer runs, those around the one that decides. */
const ON_PAPER = 1000;
const small = matchMedia('(max-width: 40rem)');

class Rows {
  /**
   * `draw(first, behind)` gives the elements for rows by number among those that are left;
   * `height()` is that of a row.
   */
  constructor(frame, height, draw) {
    this.frame = frame;
    this.heightOf = height;
    this.draw = draw;
    this.head = make('div', { class: 'row-head' });
    this.body = make('div', { class: 'row-body' });
    this.note = make('p', { class: 'none', hidden: true });
    frame.replaceChildren(this.head, this.body, this.note);
    this.range = '';
    frame.addEventListener('scroll', () => {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.update(); });
    });
    addEventListener('resize', () => this.refresh());
  }

  get count() { return view.rows.length; }
  get height() { return this.heightOf(); }

  /** The rows that are printed: all, or so many that the one that decides is among them. */
  get paperRange() {
    if (this.count <= ON_PAPER) return [0, this.count];
    const decisive = view.index(view.shown.violated ?? view.row);
    const first = Math.max(0, Math.min(decisive - ON_PAPER + 100, this.count - ON_PAPER));
    return [first, first + ON_PAPER];
  }

  /** Draws the rows in sight again. */
  refresh() { this.range = ''; this.update(); }

  update() {
    const { frame, height } = this;
    const seen = this.isOnPaper ? this.paperRange : [
      Math.max(0, Math.floor(frame.scrollTop / height) - MARGIN),
      Math.min(this.count, Math.ceil((frame.scrollTop + Math.max(frame.clientHeight, 200)) / height) + MARGIN),
    ];
    const range = seen.join('-');
    if (range === this.range) return;
    this.range = range;
    this.body.style.height = this.isOnPaper ? 'auto' : `${this.count * height}px`;
    this.note.hidden = !this.isOnPaper || seen[1] - seen[0] === this.count;
    this.note.textContent = `Printed: rows ${seen[0]} to ${seen[1] - 1} of ${this.count - 1}. The page on a screen has all of them.`;
    this.body.replaceChildren(...this.draw(seen[0], seen[1]));
  }

  /** Scrolls so far that a row can be seen, and the part of it between two places. */
  show(row, [left, right] = [0, 0]) {
    const index = view.index(row);
    const top = index * this.height;
    const { frame } = this;
    const sight = frame.clientHeight - this.head.offsetHeight - this.height;
    if (top < frame.scrollTop) frame.scrollTop = Math.max(0, top - this.height);
    else if (top > frame.scrollTop + sight) frame.scrollTop = top - sight + this.height;
    const behind = frame.scrollLeft + frame.clientWidth;
    if (left < frame.scrollLeft) frame.scrollLeft = left;
    else if (right > behind) frame.scrollLeft = Math.min(left, right - frame.clientWidth);
    this.refresh();
  }

  paper(is) {
    this.isOnPaper = is;
    this.frame.classList.toggle('on-paper', is);
    this.drawHead?.();
    this.refresh();
  }
}

const lists = [];
addEventListener('beforeprint', () => lists.forEach((list) => list.paper(true)));
addEventListener('afterprint', () => lists.forEach((list) => list.paper(false)));
