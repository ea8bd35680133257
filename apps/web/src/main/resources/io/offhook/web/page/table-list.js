import {get} from './api.js';
import {PageElement} from './element.js';
import {go, link} from './route.js';

/** A list of the database in a grid, with search, filters and order in the address. Its kinds have columns, filters and words. */
export class TableList extends PageElement {
  static properties = {params: {attribute: false}, total: {state: true}};

  /**
   * @param {string} name of its rows in the API, and of its page
   * @param {string} order that an address without one means
   */
  constructor(name, order) {
    super();
    this.name = name;
    this.order = order;
    this.load = async (offset, limit, signal) => {
      const answer = await get(`/${name}`, {offset, limit, sort: this.sort, ...this.filters}, signal);
      this.total = answer.total;
      return {total: answer.total, rows: answer[name]};
    };
  }

  get sort() {
    return this.params.get('sort') || this.order;
  }

  get grid() {
    return this.querySelector('offhook-grid');
  }

  firstUpdated() {
    this.grid.updateComplete.then(() => this.grid.scroller.focus({preventScroll: true}));
  }

  updated(changed) {
    const query = JSON.stringify([this.filters, this.sort, this.params.get('in')]);
    if (changed.has('params') && this.query !== undefined && query !== this.query) {
      this.grid.restart();
    }
    this.query = query;
  }

  /** Rows changed. */
  async refresh() {
    await this.grid.refresh();
  }

  /** The zone of times changed. */
  redraw() {
    this.grid.requestUpdate();
  }

  /** A key of the page that belongs to the list. Returns whether it did. */
  key(event) {
    if (event.key === 'F3' || (event.key === '/' && !event.typing)) {
      this.querySelector('#search').select();
      return true;
    }
    if (event.key === 'Escape' && event.typing) {
      this.grid.scroller.focus();
      return true;
    }
    return false;
  }

  /** Goes to the list with other filters, or in another order. */
  change(changes) {
    const next = {...this.filters, sort: this.sort, ...changes};
    go(link(`/${this.name}`, {...next, sort: next.sort === this.order ? null : next.sort}), true);
  }

  /** As {@link change}, once nothing more is typed. */
  type(name, event) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.change({[name]: event.target.value.trim()}), 250);
  }
}
