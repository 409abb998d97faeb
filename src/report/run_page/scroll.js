// A list of rows of the same height, of which only those in sight are drawn.

/** Rows that are drawn outside of what can be seen. */
const MARGIN = 12;
/** Rows on paper: longer runs are cut. */
const ON_PAPER = 1000;

class Rows {
  /** `draw(first, behind)` gives the elements for rows by number among those that are left. */
  constructor(frame, height, draw) {
    this.frame = frame;
    this.height = height;
    this.draw = draw;
    this.head = make('div', { class: 'row-head' });
    this.body = make('div', { class: 'row-body' });
    frame.replaceChildren(this.head, this.body);
    this.range = '';
    frame.addEventListener('scroll', () => {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.update(); });
    });
    addEventListener('resize', () => this.refresh());
  }

  get count() { return view.rows.length; }

  /** Draws the rows in sight again. */
  refresh() { this.range = ''; this.update(); }

  update() {
    const { frame, height } = this;
    const seen = this.isOnPaper ? [0, Math.min(this.count, ON_PAPER)] : [
      Math.max(0, Math.floor(frame.scrollTop / height) - MARGIN),
      Math.min(this.count, Math.ceil((frame.scrollTop + Math.max(frame.clientHeight, 200)) / height) + MARGIN),
    ];
    const range = seen.join('-');
    if (range === this.range) return;
    this.range = range;
    const total = this.isOnPaper ? seen[1] : this.count;
    this.body.style.height = `${total * height}px`;
    this.body.replaceChildren(...this.draw(seen[0], seen[1]));
  }

  /** Scrolls so far that a row can be seen. */
  show(row) {
    const index = view.index(row);
    const top = index * this.height;
    const { frame } = this;
    const sight = frame.clientHeight - this.head.offsetHeight - this.height;
    if (top < frame.scrollTop) frame.scrollTop = Math.max(0, top - this.height);
    else if (top > frame.scrollTop + sight) frame.scrollTop = top - sight + this.height;
    this.refresh();
  }

  paper(is) { this.isOnPaper = is; this.refresh(); }
}

const lists = [];
addEventListener('beforeprint', () => lists.forEach((list) => list.paper(true)));
addEventListener('afterprint', () => lists.forEach((list) => list.paper(false)));
