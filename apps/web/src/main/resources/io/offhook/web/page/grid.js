import {html, nothing} from 'lit';
import {PageElement} from './element.js';
import {RowWindows} from './row-windows.js';
import {barFor, listTop, reveal, scrolledHeight} from './scrolling.js';
import {sentence} from './text.js';

/**
 * @typedef {Object} Column
 * @property {string} id
 * @property {string} label heading
 * @property {string} width a track of CSS grid
 * @property {string} [sort] the field by which its heading sorts
 * @property {boolean} [end] aligned at the end: figures
 * @property {(row: Object) => *} render the cell's content for Lit
 */

const BEYOND = 8;
const NARROW = matchMedia('(max-width: 640px)');

/** The narrowest that the columns can be, in pixels: rows are no wider than that, whatever is in them. */
function leastWidth(columns) {
  return columns.reduce((sum, column) => sum + Number(/\d+/.exec(column.width)?.[0] ?? 100), 12);
}

/**
 * A list of any length with the keys of sngrep: only the rows in view are elements.
 *
 * Events: `grid-sort` (detail: the new order), `grid-open` (detail: the row), `grid-select`.
 */
export class Grid extends PageElement {
  static properties = {
    columns: {attribute: false},
    load: {attribute: false},
    keyOf: {attribute: false},
    narrow: {attribute: false},
    rowClass: {attribute: false},
    empty: {attribute: false},
    label: {},
    sort: {},
    selectable: {type: Boolean},
    active: {state: true},
    error: {state: true},
  };

  constructor() {
    super();
    this.columns = [];
    this.keyOf = (row) => row.id;
    this.rowClass = () => '';
    this.active = 0;
    this.selected = new Map();
    this.place = {top: 0, bar: 0};
    this.view = 0;
    this.windows = this.#newWindows();
    this.onNarrow = () => this.requestUpdate();
  }

  #newWindows() {
    return new RowWindows(
      (...range) => this.load(...range),
      () => {
        this.error = null;
        this.#find();
        this.requestUpdate();
      },
      (error) => {
        this.error = error;
      },
    );
  }

  connectedCallback() {
    super.connectedCallback();
    NARROW.addEventListener('change', this.onNarrow);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    NARROW.removeEventListener('change', this.onNarrow);
    this.resized?.disconnect();
  }

  get rowHeight() {
    return this.isNarrow ? 54 : 28;
  }

  get isNarrow() {
    return NARROW.matches && Boolean(this.narrow);
  }

  get headHeight() {
    return this.isNarrow ? 0 : 30;
  }

  get total() {
    return this.windows.total;
  }

  get size() {
    return {rows: this.total ?? 0, rowHeight: this.rowHeight, view: Math.max(0, this.view - this.headHeight)};
  }

  /** Where the list is, to come back to it by `comeBack`. */
  get where() {
    const row = this.windows.row(this.active);
    return {top: this.place.top, active: this.active, key: row ? this.keyOf(row) : null};
  }

  /** Goes to where the list was, once its rows are there. */
  comeBack(where) {
    this.pending = where;
    this.requestUpdate();
  }

  /** The row that was in focus may have moved since: the list goes along with it. */
  #find() {
    const index = this.sought ? this.windows.indexOf(this.sought, this.keyOf) : -1;
    if (index >= 0) {
      this.sought = null;
      const moved = (index - this.active) * this.rowHeight;
      this.active = index;
      if (moved !== 0 && this.place.top > 0) {
        this.#scrollTo(this.place.top + moved);
      }
    }
  }

  /** Another list: begins at its top. */
  restart() {
    this.windows.clear();
    this.sought = null;
    this.active = 0;
    this.selected.clear();
    this.error = null;
    this.#scrollTo(0);
    this.requestUpdate();
  }

  /** The same list with news: rows in view are fetched again, the row in focus and the view stay. */
  async refresh() {
    this.error = null;
    if (this.total === null) {
      this.windows.clear();
      this.requestUpdate();
      return;
    }
    const before = this.total;
    const active = this.windows.row(this.active);
    const pinned = this.place.top > 0 || this.active > 0;
    const first = Math.floor(this.place.top / this.rowHeight);
    const anchor = this.windows.row(first);
    this.windows.stale();
    await this.windows.need(first, first + this.#visibleRows());
    if (pinned && this.total !== null) {
      const grown = Math.max(0, this.total - before);
      await this.windows.need(first, first + grown + this.#visibleRows());
      this.#follow(anchor, first, active);
    }
    this.requestUpdate();
  }

  #follow(anchor, first, active) {
    const place = anchor ? this.windows.indexOf(this.keyOf(anchor), this.keyOf) : -1;
    if (place >= 0 && place !== first && this.place.top > 0) {
      this.#scrollTo(this.place.top + (place - first) * this.rowHeight);
    }
    const row = active ? this.windows.indexOf(this.keyOf(active), this.keyOf) : -1;
    if (row >= 0) {
      this.active = row;
    } else if (this.total !== null) {
      this.active = Math.max(0, Math.min(this.active, this.total - 1));
    }
  }

  #visibleRows() {
    return Math.ceil(this.view / this.rowHeight) + BEYOND;
  }

  get scroller() {
    return this.querySelector('.grid-scroll');
  }

  firstUpdated() {
    this.resized = new ResizeObserver(() => {
      this.view = this.scroller.clientHeight;
      this.requestUpdate();
    });
    this.resized.observe(this.scroller);
    this.view = this.scroller.clientHeight;
    this.requestUpdate();
  }

  updated() {
    const scroller = this.scroller;
    scroller.style.setProperty('--columns', this.columns.map((column) => column.width).join(' '));
    scroller.style.setProperty('--least', `${leastWidth(this.columns)}px`);
    if (this.pending && this.total !== null) {
      const {top, active, key} = this.pending;
      this.pending = null;
      this.sought = key;
      this.active = Math.min(active, Math.max(0, this.total - 1));
      this.#scrollTo(top);
      this.requestUpdate();
    }
    const sizer = this.querySelector('.grid-sizer');
    sizer.style.height = `${scrolledHeight(this.size.rows, this.rowHeight)}px`;
    const first = this.#firstRow();
    const shift = first * this.rowHeight - (this.place.top - this.place.bar);
    this.querySelector('.grid-rows').style.transform = `translateY(${Math.round(shift)}px)`;
    if (this.view > 0 && this.load && !this.error) {
      this.windows.need(first, first + this.#visibleRows() + BEYOND);
    }
  }

  #firstRow() {
    return Math.max(0, Math.floor(this.place.top / this.rowHeight) - BEYOND);
  }

  #onScroll() {
    const bar = this.scroller.scrollTop;
    if (bar === this.place.bar) {
      return;
    }
    this.place = {top: listTop(this.place, bar, this.size), bar};
    this.requestUpdate();
  }

  #scrollTo(top) {
    const limit = Math.max(0, this.size.rows * this.rowHeight - this.size.view);
    const wanted = Math.min(Math.max(0, top), limit);
    const bar = Math.round(barFor(wanted, this.size));
    this.place = {top: wanted, bar};
    if (this.scroller) {
      this.querySelector('.grid-sizer').style.height = `${scrolledHeight(this.size.rows, this.rowHeight)}px`;
      this.scroller.scrollTop = bar;
      this.place.bar = this.scroller.scrollTop;
    }
  }

  /** Moves to a row and shows it. */
  moveTo(index) {
    if (!this.total) {
      return;
    }
    this.sought = null;
    this.active = Math.max(0, Math.min(index, this.total - 1));
    this.#scrollTo(reveal(this.active, this.place.top, this.size));
    this.requestUpdate();
  }

  #onKey(event) {
    if (event.target !== this.scroller || event.altKey || event.metaKey) {
      return;
    }
    const page = Math.max(1, Math.floor(this.size.view / this.rowHeight) - 1);
    const moves = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.total - 1,
    };
    if (event.key in moves) {
      this.moveTo(moves[event.key]);
    } else if (event.key === 'Enter') {
      this.#open(this.windows.row(this.active));
    } else if ((event.key === '<' || event.key === '>') && this.sort) {
      this.#sortBeside(event.key === '>' ? 1 : -1);
    } else if (event.key.toLowerCase() === 'z' && this.sort) {
      this.#order(this.sort.startsWith('-') ? this.sort.slice(1) : `-${this.sort}`);
    } else if (event.key === ' ' && this.selectable) {
      this.#select(this.windows.row(this.active));
      this.moveTo(this.active + 1);
    } else {
      return;
    }
    event.preventDefault();
  }

  #open(row) {
    if (row) {
      this.dispatchEvent(new CustomEvent('grid-open', {detail: row, bubbles: true}));
    }
  }

  #select(row) {
    if (!row) {
      return;
    }
    const key = this.keyOf(row);
    if (!this.selected.delete(key)) {
      this.selected.set(key, row);
    }
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('grid-select', {bubbles: true}));
  }

  /** The rows that were selected, or else the one in focus. */
  chosen() {
    const row = this.windows.row(this.active);
    return this.selected.size > 0 ? [...this.selected.values()] : row ? [row] : [];
  }

  #onRow(event, index) {
    this.sought = null;
    this.active = index;
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      this.#select(this.windows.row(index));
    } else if (!String(getSelection())) {
      this.#open(this.windows.row(index));
    }
  }

  #onHeading(column) {
    this.#order(this.sort === column.sort ? `-${column.sort}` : column.sort);
  }

  #order(order) {
    this.dispatchEvent(new CustomEvent('grid-sort', {detail: order, bubbles: true}));
  }

  /** Sorts by the column beside the one that the list is sorted by, the same way round. */
  #sortBeside(step) {
    const names = [...new Set(this.columns.map((column) => column.sort).filter(Boolean))];
    const [hyphen, name] = this.sort.startsWith('-') ? ['-', this.sort.slice(1)] : ['', this.sort];
    this.#order(hyphen + names[(Math.max(0, names.indexOf(name)) + step + names.length) % names.length]);
  }

  /** The order where there are no headings to choose it by. */
  #orders() {
    const sortable = this.columns.filter((column) => column.sort);
    return html`<label class="grid-order">Order <select id="${this.id}-order" @change=${(event) => this.#order(event.target.value)}>
      ${sortable.flatMap((column) => [[`-${column.sort}`, `${column.label} ▼`], [column.sort, `${column.label} ▲`]]).map(([order, words]) => html`<option
        value=${order} .selected=${order === this.sort}>${words}</option>`)}</select></label>`;
  }

  render() {
    const first = this.#firstRow();
    const until = Math.min(this.total ?? 0, first + this.#visibleRows() + BEYOND);
    const indexes = Array.from({length: Math.max(0, until - first)}, (_, i) => first + i);
    return html`${this.isNarrow && this.sort ? this.#orders() : nothing}
      <div class="grid-scroll ${this.isNarrow ? 'grid-narrow' : ''}" role="grid" tabindex="0"
        aria-label=${this.label ?? ''} aria-rowcount=${this.total === null ? -1 : this.total + 1}
        aria-colcount=${this.columns.length} aria-multiselectable=${this.selectable ? 'true' : 'false'}
        aria-busy=${this.total === null && !this.error ? 'true' : 'false'}
        aria-activedescendant=${this.total ? `${this.id}-row-${this.active}` : nothing}
        @scroll=${this.#onScroll} @keydown=${this.#onKey}>
        <div class="grid-head" role="row" aria-rowindex="1">${this.columns.map((column) => this.#heading(column))}</div>
        <div class="grid-sizer" role="rowgroup"><div class="grid-rows" role="presentation">
          ${indexes.map((index) => this.#row(index))}
        </div></div>
      </div>
      ${this.#message()}`;
  }

  #message() {
    if (this.error) {
      return html`<div class="grid-message" role="alert"><strong>The list could not be loaded.</strong>
        <span>${sentence(this.error.message)}</span>
        <button type="button" @click=${() => this.restart()}>Try again</button></div>`;
    }
    if (this.total === null) {
      return html`<div class="grid-message" role="status">Loading…</div>`;
    }
    return this.total === 0 ? html`<div class="grid-message" role="status">${this.empty?.() ?? 'Nothing here.'}</div>` : nothing;
  }

  #heading(column) {
    const order = this.sort === column.sort ? 'ascending' : this.sort === `-${column.sort}` ? 'descending' : 'none';
    const mark = {ascending: '▲', descending: '▼', none: ''}[order];
    return html`<div class="grid-cell ${column.end ? 'end' : ''}" role="columnheader"
      aria-sort=${column.sort ? order : nothing}>${column.sort
        ? html`<button type="button" class="heading" tabindex="-1" data-sort=${column.sort}
            @click=${() => this.#onHeading(column)}>${column.label}${mark ? html`<span aria-hidden="true">${mark}</span>` : nothing}</button>`
        : column.label}</div>`;
  }

  #row(index) {
    const row = this.windows.row(index);
    const classes = ['grid-row', index === this.active ? 'active' : '', row ? this.rowClass(row) : 'placeholder'];
    const selected = row !== null && this.selected.has(this.keyOf(row));
    return html`<div class="${classes.join(' ')} ${selected ? 'selected' : ''}" role="row" id="${this.id}-row-${index}"
      aria-rowindex=${index + 2} aria-selected=${this.selectable ? String(selected) : nothing}
      data-key=${row ? this.keyOf(row) : nothing} @click=${(event) => this.#onRow(event, index)}>
      ${!row
        ? html`<div class="grid-cell" role="gridcell"><span class="bar"></span></div>`
        : this.isNarrow
          ? html`<div class="grid-cell two-lines" role="gridcell">${this.narrow(row)}</div>`
          : this.columns.map((column) => html`<div class="grid-cell ${column.end ? 'end' : ''}" role="gridcell">${column.render(row)}</div>`)}
    </div>`;
  }
}

customElements.define('offhook-grid', Grid);
