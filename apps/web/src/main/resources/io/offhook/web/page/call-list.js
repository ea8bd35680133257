import {html, nothing} from 'lit';
import {get, savePackets} from './api.js';
import {chosenColumns, chosenIds, COLUMNS, narrowCall, toggleColumn, usualColumns} from './columns.js';
import {PageElement} from './element.js';
import {count, plural} from './figures.js';
import {filtersOf} from './filters.js';
import {go, link} from './route.js';
import {emptyCalls} from './empty.js';
import './grid.js';
import './totals.js';

const NEWEST = '-firstSeenAt';
/** Where a list was left, so that one comes back to the same place from a call. */
let left = {query: '', where: null};

// As many as the server writes into one capture.
const MOST_SAVED = 50;

/** The page of calls: totals, filters, and the list. */
export class CallList extends PageElement {
  static properties = {params: {attribute: false}, columns: {state: true}, selected: {state: true}, notice: {state: true}};

  constructor() {
    super();
    this.columns = chosenColumns();
    this.selected = 0;
    this.notice = '';
    this.inputs = null;
    this.load = (offset, limit, signal) => this.#load(offset, limit, signal);
  }

  get filters() {
    return filtersOf(this.params);
  }

  get sort() {
    return this.params.get('sort') || NEWEST;
  }

  get grid() {
    return this.querySelector('offhook-grid');
  }

  updated(changed) {
    const query = JSON.stringify([this.filters, this.sort, this.params.get('in')]);
    if (changed.has('params') && this.query !== undefined && query !== this.query) {
      this.grid.restart();
      this.selected = 0;
    }
    this.query = query;
  }

  connectedCallback() {
    super.connectedCallback();
    // the length of calls that go on, between changes
    this.clock = setInterval(() => !document.hidden && this.querySelector('.elapsed') && this.grid.requestUpdate(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.clock);
    left = {query: this.query, where: this.grid?.where ?? null};
  }

  firstUpdated() {
    if (left.where && left.query === JSON.stringify([this.filters, this.sort, this.params.get('in')])) {
      this.grid.comeBack(left.where);
    }
    this.grid.updateComplete.then(() => this.grid.scroller.focus({preventScroll: true}));
  }

  async #load(offset, limit, signal) {
    const answer = await get('/calls', {fields: 'summary', offset, limit, sort: this.sort, ...this.filters}, signal);
    if (answer.total === 0) {
      this.inputs = await get('/system', {}, signal);
      this.grid.requestUpdate();
    }
    queueMicrotask(() => this.requestUpdate());
    return {total: answer.total, rows: answer.calls};
  }

  /** Calls changed: the list and the totals follow. */
  async refresh() {
    this.querySelector('offhook-totals')?.news();
    await this.grid?.refresh();
  }

  /** Settings changed: columns or the zone of times. */
  redraw() {
    this.columns = chosenColumns();
    this.grid?.requestUpdate();
  }

  /** A key of the page that belongs to the list. Returns whether it did. */
  key(event) {
    const bar = this.querySelector('offhook-filters');
    if (event.key === 'F2') {
      this.save();
    } else if (event.key === 'F3' || (event.key === '/' && !event.typing)) {
      bar.search();
    } else if (event.key === 'F7') {
      bar.toggle();
    } else if (event.key === 'Escape') {
      this.querySelector('#columns').open = false;
      if (bar.open) {
        bar.toggle();
      }
      this.grid.scroller.focus();
    } else {
      return false;
    }
    return true;
  }

  /** Saves the packets of the calls that were selected, or of the one in focus. */
  async save() {
    const calls = this.grid.chosen();
    if (calls.length === 0) {
      return;
    }
    const some = calls.slice(0, MOST_SAVED);
    try {
      this.notice = `Saving the packets of ${plural(some.length, 'call')}…`;
      await savePackets(some.map((call) => call.id));
      this.notice = `Saved the packets of ${plural(some.length, 'call')}${calls.length > MOST_SAVED ? ` of ${count(calls.length)}: at most ${MOST_SAVED} at once` : ''}.`;
    } catch (error) {
      this.notice = `The packets could not be saved: ${error.message}`;
    }
  }

  #change(filters, sort = this.sort) {
    go(link('/', {...filters, sort: sort === NEWEST ? null : sort}), true);
  }

  render() {
    return html`<h1 class="sr">Calls</h1>
      <offhook-totals .filters=${this.filters}></offhook-totals>
      <div class="list-bar">
        <offhook-filters .value=${this.filters} @filters-change=${(event) => this.#change(event.detail)}></offhook-filters>
        <div class="list-state">
          <span id="call-count" role="status">${this.grid?.total !== undefined && this.grid?.total !== null ? plural(this.grid.total, 'call') : nothing}${this.selected
            ? html`, ${count(this.selected)} selected` : nothing}</span>
          <button type="button" id="save" title="Save the packets of the selected calls as pcapng (F2)" @click=${() => this.save()}>Save packets</button>
          ${this.#chooser()}
        </div>
      </div>
      ${this.notice ? html`<p class="notice" role="status">${this.notice} <button type="button" class="plain" @click=${() => (this.notice = '')}>Close</button></p>` : nothing}
      <offhook-grid id="calls" label="Calls" selectable .columns=${this.columns} .load=${this.load} .narrow=${narrowCall}
        .sort=${this.sort} .rowClass=${(call) => (call.bad ? 'is-bad' : '')} .empty=${() => this.#empty()}
        @grid-sort=${(event) => this.#change(this.filters, event.detail)}
        @grid-open=${(event) => go(link(`/calls/${encodeURIComponent(event.detail.id)}`))}
        @grid-select=${() => (this.selected = this.grid.selected.size)}></offhook-grid>`;
  }

  #empty() {
    return Object.keys(this.filters).length > 0
      ? html`<strong>No call matches these filters.</strong><button type="button" @click=${() => this.#change({})}>Clear the filters</button>`
      : emptyCalls(this.inputs);
  }

  #onMenuLeft(event) {
    if (!event.currentTarget.contains(event.relatedTarget)) {
      event.currentTarget.open = false;
    }
  }

  #chooser() {
    const chosen = new Set(chosenIds());
    return html`<details class="menu" id="columns" @focusout=${(event) => this.#onMenuLeft(event)}><summary>Columns</summary><div class="menu-body" tabindex="-1">
      ${COLUMNS.map((column) => html`<label class="tick"><input type="checkbox" value=${column.id} .checked=${chosen.has(column.id)}
        @change=${() => toggleColumn(column.id)}>${column.label}</label>`)}
      <button type="button" class="plain" @click=${() => usualColumns()}>Usual columns</button></div></details>`;
  }
}

customElements.define('offhook-call-list', CallList);
