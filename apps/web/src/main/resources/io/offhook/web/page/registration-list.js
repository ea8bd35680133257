import {html, nothing} from 'lit';
import {count, plural} from './figures.js';
import {go, link} from './route.js';
import {utc} from './settings.js';
import {TableList} from './table-list.js';
import {visible} from './text.js';
import {day, listTime} from './times.js';
import {outcome} from './words.js';
import './grid.js';

const LATEST = '-lastAt';
const OUTCOMES = ['registered', 'removed', 'challenged', 'rejected', 'unanswered', 'expired'];
const text = (id, label, width) => ({id, label, width, sort: id, render: (one) => html`<span title=${visible(one[id])}>${visible(one[id])}</span>`});
// Problems are objects as in `registrations --format json`, or their texts, as the database has them.
const problemsOf = (one) => (Array.isArray(one.problems) ? one.problems : []);
/** Whether a registration failed, or had a problem that affected the service. */
export const isBadRegistration = (one) => one.outcome === 'rejected' || problemsOf(one).some((problem) => problem.class === 'service');
/** The problems of a registration in words; empty if it had none. */
export const whyOf = (one) => visible(Array.isArray(one.problems) ? problemsOf(one).map((problem) => problem.text).join(', ') : one.problems);

/** @type {import('./grid.js').Column[]} */
const COLUMNS = [
  {id: 'first', label: 'First', width: '158px', sort: 'firstAt', render: (one) => listTime(one.firstAt, utc())},
  {id: 'last', label: 'Last', width: '128px', sort: 'lastAt', render: (one) => listTime(one.lastAt, utc(), 0, day(one.firstAt, utc()))},
  text('user', 'User', 'minmax(90px, 1fr)'),
  text('contact', 'Contact', 'minmax(150px, 2fr)'),
  text('client', 'Client', 'minmax(130px, 1fr)'),
  text('registrar', 'Registrar', 'minmax(130px, 1fr)'),
  {id: 'outcome', label: 'Outcome', width: '132px', sort: 'outcome', render: (one) => outcome(one.outcome, one.finalStatus)},
  {id: 'expires', label: 'Expires', width: '76px', sort: 'expiresSeconds', end: true, render: (one) => (one.expiresSeconds === null ? '' : `${count(one.expiresSeconds)} s`)},
  {id: 'requests', label: 'Requests', width: '82px', sort: 'requests', end: true, render: (one) => count(one.requests)},
  text('userAgent', 'Software', 'minmax(110px, 1fr)'),
  {id: 'why', label: 'Why', width: 'minmax(140px, 2fr)', sort: 'problems', render: (one) => html`<span class=${isBadRegistration(one) ? 'is-bad-text' : 'muted'} title=${whyOf(one)}>${isBadRegistration(one) ? html`<span class="mark" aria-hidden="true">✕</span>` : nothing}${whyOf(one)}</span>`},
];

function narrow(one) {
  return html`<div class="line"><strong class="grow">${visible(one.user ?? one.addressOfRecord)}</strong>${outcome(one.outcome, one.finalStatus)}</div>
    <div class="line small"><span>${listTime(one.lastAt, utc(), 0)}</span><span class="mono">${visible(one.client)}</span><span class="grow muted">${whyOf(one) || visible(one.userAgent)}</span></div>`;
}

/** All registrations. */
export class RegistrationList extends TableList {
  constructor() {
    super('registrations', LATEST);
  }

  get filters() {
    return {text: this.params.get('text'), outcome: this.params.get('outcome')};
  }

  #check(name, isChosen) {
    const chosen = new Set((this.filters.outcome ?? '').split(',').filter(Boolean));
    chosen[isChosen ? 'add' : 'delete'](name);
    this.change({outcome: [...chosen].join(',')});
  }

  #empty() {
    return this.filters.text || this.filters.outcome
      ? html`<strong>No registration matches these filters.</strong><button type="button" @click=${() => this.change({text: null, outcome: null})}>Clear the filters</button>`
      : html`<strong>No registrations.</strong><span>None of what was captured has a REGISTER.</span>`;
  }

  render() {
    return html`<div class="list-head"><h1>Registrations</h1>
      <label class="search"><span class="sr">Search user, contact, address or software</span><input id="search" type="search" placeholder="Search  ( / )"
        autocomplete="off" spellcheck="false" .value=${this.params.get('text') ?? ''} @input=${(event) => this.type('text', event)}></label>
      <fieldset class="choice inline-choice" id="filter-outcome"><legend class="sr">Outcome</legend>${OUTCOMES.map((name) => html`<label class="tick"><input type="checkbox" value=${name}
        .checked=${(this.filters.outcome ?? '').split(',').includes(name)} @change=${(event) => this.#check(name, event.target.checked)}>${name}</label>`)}</fieldset>
      <span class="push"></span><span class="muted" id="registration-count" role="status">${this.total === undefined ? '' : plural(this.total, 'registration')}</span></div>
      <offhook-grid id="registrations" label="Registrations" .columns=${COLUMNS} .load=${this.load} .narrow=${narrow} .sort=${this.sort}
        .keyOf=${(one) => one.id} .rowClass=${(one) => (isBadRegistration(one) ? 'is-bad' : '')}
        .empty=${() => this.#empty()}
        @grid-sort=${(event) => this.change({sort: event.detail})}
        @grid-open=${(event) => go(link(`/registrations/${encodeURIComponent(event.detail.id)}`))}></offhook-grid>`;
  }
}

customElements.define('offhook-registration-list', RegistrationList);
