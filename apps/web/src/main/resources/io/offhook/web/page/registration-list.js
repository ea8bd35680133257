import {html, nothing} from 'lit';
import {get} from './api.js';
import {PageElement} from './element.js';
import {count, plural} from './figures.js';
import {go, link} from './route.js';
import {utc} from './settings.js';
import {visible} from './text.js';
import {day, listTime} from './times.js';
import {outcome} from './words.js';
import './grid.js';

const text = (id, label, width) => ({id, label, width, render: (one) => html`<span title=${visible(one[id])}>${visible(one[id])}</span>`});
// Problems are objects as in `registrations --format json`, or their texts, as the database has them.
const problemsOf = (one) => (Array.isArray(one.problems) ? one.problems : []);
const isBad = (one) => one.outcome === 'rejected' || problemsOf(one).some((problem) => problem.class === 'service');
const why = (one) => visible(Array.isArray(one.problems) ? problemsOf(one).map((problem) => problem.text).join(', ') : one.problems);

/** @type {import('./grid.js').Column[]} */
const COLUMNS = [
  {id: 'first', label: 'First', width: '158px', render: (one) => listTime(one.firstAt, utc())},
  {id: 'last', label: 'Last', width: '128px', render: (one) => listTime(one.lastAt, utc(), 0, day(one.firstAt, utc()))},
  text('user', 'User', 'minmax(90px, 1fr)'),
  text('contact', 'Contact', 'minmax(150px, 2fr)'),
  text('client', 'Client', 'minmax(130px, 1fr)'),
  text('registrar', 'Registrar', 'minmax(130px, 1fr)'),
  {id: 'outcome', label: 'Outcome', width: '132px', render: (one) => outcome(one.outcome, one.finalStatus)},
  {id: 'expires', label: 'Expires', width: '76px', end: true, render: (one) => (one.expiresSeconds === null ? '' : `${count(one.expiresSeconds)} s`)},
  {id: 'requests', label: 'Requests', width: '76px', end: true, render: (one) => count(one.requests)},
  text('userAgent', 'Software', 'minmax(110px, 1fr)'),
  {id: 'why', label: 'Why', width: 'minmax(140px, 2fr)', render: (one) => html`<span class=${isBad(one) ? 'is-bad-text' : 'muted'} title=${why(one)}>${isBad(one) ? html`<span class="mark" aria-hidden="true">✕</span>` : nothing}${why(one)}</span>`},
];

function narrow(one) {
  return html`<div class="line"><strong class="grow">${visible(one.user ?? one.addressOfRecord)}</strong>${outcome(one.outcome, one.finalStatus)}</div>
    <div class="line small"><span>${listTime(one.lastAt, utc(), 0)}</span><span class="mono">${visible(one.client)}</span><span class="grow muted">${why(one) || visible(one.userAgent)}</span></div>`;
}

/** All registrations. */
export class RegistrationList extends PageElement {
  static properties = {params: {attribute: false}, total: {state: true}};

  constructor() {
    super();
    this.load = async (offset, limit, signal) => {
      const answer = await get('/registrations', {offset, limit, text: this.params.get('text')}, signal);
      this.total = answer.total;
      return {total: answer.total, rows: answer.registrations};
    };
  }

  get grid() {
    return this.querySelector('offhook-grid');
  }

  firstUpdated() {
    this.grid.updateComplete.then(() => this.grid.scroller.focus({preventScroll: true}));
  }

  updated(changed) {
    const query = `${this.params.get('text')} ${this.params.get('in')}`;
    if (changed.has('params') && this.query !== undefined && query !== this.query) {
      this.grid.restart();
    }
    this.query = query;
  }

  /** Registrations changed. */
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
    return false;
  }

  #type(event) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => go(link('/registrations', {text: event.target.value.trim()}), true), 250);
  }

  render() {
    return html`<div class="list-head"><h1>Registrations</h1>
      <label class="search"><span class="sr">Search user, contact, address or software</span><input id="search" type="search" placeholder="Search  ( / )"
        autocomplete="off" spellcheck="false" .value=${this.params.get('text') ?? ''} @input=${(event) => this.#type(event)}></label>
      <span class="push"></span><span class="muted" id="registration-count" role="status">${this.total === undefined ? '' : plural(this.total, 'registration')}</span></div>
      <offhook-grid id="registrations" label="Registrations" .columns=${COLUMNS} .load=${this.load} .narrow=${narrow}
        .keyOf=${(one) => `${one.callId} ${one.client}`} .rowClass=${(one) => (isBad(one) ? 'is-bad' : '')}
        .empty=${() => html`<strong>No registrations.</strong><span>REGISTERs appear here as soon as they are captured.</span>`}></offhook-grid>`;
  }
}

customElements.define('offhook-registration-list', RegistrationList);
