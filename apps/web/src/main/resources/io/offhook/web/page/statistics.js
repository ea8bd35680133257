import {html, nothing, svg} from 'lit';
import {get} from './api.js';
import {PageElement} from './element.js';
import {count, decimal, millis, percent, seconds} from './figures.js';
import {localTime} from './filters.js';
import {explainStart} from './headers.js';
import {Pace} from './pace.js';
import {go, link} from './route.js';
import {sentence, visible} from './text.js';
import {PROBLEMS} from './words.js';
import './plot.js';

/** A link to what a row counts, in the time that was chosen. */
function within(path, filter) {
  const {searchParams} = new URL(location.href);
  return link(path, {...filter, from: searchParams.get('from'), to: searchParams.get('to')});
}

/**
 * The columns of the tables: heading, what is shown, whether it is a figure.
 * @type {Object<string, {title: string, columns: [string, (row: Object) => *, boolean?][], value?: (row: Object) => number}>}
 */
const TABLES = {
  outcomes: {title: 'Outcomes', value: (row) => row.count, columns: [['Outcome', (row) => html`<a href=${within('/', {outcome: row.name})}>${visible(row.name)}</a>`], ['Calls', (row) => count(row.count), true]]},
  problems: {title: 'Problems', value: (row) => row.calls, columns: [['Problem', (row) => html`<a href=${within('/', {problem: row.kind})}>${PROBLEMS[row.kind] ?? visible(row.kind)}</a>`], ['Calls', (row) => count(row.calls), true]]},
  methods: {title: 'Methods', value: (row) => row.count, columns: [['Method', (row) => visible(row.name)], ['Requests', (row) => count(row.count), true], ['Sent again', (row) => count(row.retransmissions), true]]},
  responses: {title: 'Responses', value: (row) => row.count, columns: [['Status', (row) => html`${visible(row.name)} <span class="small muted">${explainStart(`SIP/2.0 ${row.name}`)?.text ?? ''}</span>`], ['Responses', (row) => count(row.count), true]]},
  codecs: {title: 'Codecs', value: (row) => row.streams, columns: [['Codec', (row) => html`<a href=${within('/streams', {codec: row.name})}>${visible(row.name)}</a>`], ['Streams', (row) => count(row.streams), true], ['Lost', (row) => percent(row.lostPercent), true], ['Jitter', (row) => millis(row.meanJitterMs), true], ['Mean MOS', (row) => decimal(row.meanMos, 1), true]]},
  userAgents: {title: 'Software', value: (row) => row.calls, columns: [['User-Agent or Server', (row) => html`<a href=${within('/', {text: row.name})}>${visible(row.name)}</a>`], ['Calls', (row) => count(row.calls), true], ['Bad', (row) => count(row.bad), true]]},
};

const TRUNK_COLUMNS = [['Address', (row) => html`<a class="mono" href=${within('/', {address: row.address})}>${visible(row.address)}</a>`], ['Calls', (row) => count(row.calls), true], ['Answered', (row) => count(row.answered), true],
  ['Bad', (row) => count(row.bad), true], ['ASR', (row) => percent(row.asrPercent), true], ['NER', (row) => percent(row.nerPercent), true], ['ACD', (row) => seconds(row.acdSeconds), true],
  ['Lost', (row) => percent(row.lostPercent), true], ['Jitter', (row) => millis(row.meanJitterMs), true], ['Worst MOS', (row) => decimal(row.worstMos, 1), true]];

const HISTOGRAMS = {
  setUpMs: ['Set-up', (row) => (row.upTo === null ? 'more' : `≤ ${millis(row.upTo)}`)],
  mos: ['MOS of streams', (row) => (row.upTo === null ? 'more' : `≤ ${decimal(row.upTo, 2)}`)],
  roundTripMs: ['Round trip by RTCP', (row) => (row.upTo === null ? 'more' : `≤ ${millis(row.upTo)}`)],
};

const SHOWN_ROWS = 12;
const MOST_BINS = 60;

/**
 * The bins of a histogram in order, with those between them that are empty where bins have one width.
 * @param {{upTo: number|null, count: number}[]} rows in any order; `upTo` null is the rest
 */
export function bins(rows) {
  const known = rows.filter((row) => row.upTo !== null).sort((a, b) => a.upTo - b.upTo);
  const rest = rows.filter((row) => row.upTo === null);
  const steps = known.slice(1).map((row, i) => row.upTo - known[i].upTo);
  const step = Math.min(...steps);
  const even = steps.length > 0 && step > 0 && steps.every((one) => Math.abs(one / step - Math.round(one / step)) < 1e-6);
  const number = even ? Math.round((known.at(-1).upTo - known[0].upTo) / step) + 1 : 0;
  if (!even || number > MOST_BINS) {
    return [...known, ...rest];
  }
  const counts = new Map(known.map((row) => [Math.round((row.upTo - known[0].upTo) / step), row.count]));
  return [...Array.from({length: number}, (_, i) => ({upTo: known[0].upTo + i * step, count: counts.get(i) ?? 0})), ...rest];
}

/** Counts and distributions of the calls of a time. */
export class Statistics extends PageElement {
  static properties = {params: {attribute: false}, data: {state: true}, error: {state: true}, all: {state: true}};

  constructor() {
    super();
    this.data = null;
    this.all = new Set();
    this.isChanged = false;
    this.pace = new Pace(5000, () => this.#follow());
  }

  willUpdate(changed) {
    if (changed.has('params')) {
      this.#load();
    }
  }

  /** Calls changed: the counts follow, but not at every call, as they are those of all. */
  refresh() {
    this.isChanged = true;
    this.pace.ask();
  }

  /** Loads them, and once more after the last change: an answer may be as old as the server keeps it for all who ask. */
  async #follow() {
    const isChanged = this.isChanged;
    this.isChanged = false;
    await this.#load();
    if (isChanged) {
      this.pace.ask();
    }
  }

  async #load() {
    try {
      this.data = await get('/statistics', {from: this.params.get('from'), to: this.params.get('to')});
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  #time(name, label) {
    return html`<label class="inline">${label} <input id="filter-${name}" type="datetime-local" step="1" .value=${localTime(this.params.get(name))} @change=${(event) => {
      const params = {from: this.params.get('from'), to: this.params.get('to')};
      go(link('/statistics', {...params, [name]: event.target.value ? new Date(event.target.value).toISOString() : null}), true);
    }}></label>`;
  }

  render() {
    const head = html`<div class="list-head"><h1>Statistics</h1><span class="push"></span>${this.#time('from', 'Begun from')}${this.#time('to', 'until')}</div>`;
    if (!this.data) {
      return html`${head}<div class="state" role=${this.error ? 'alert' : 'status'}>${this.error ? sentence(this.error.message) : 'Loading…'}</div>`;
    }
    return html`${head}<div class="page-body"><div class="cards">
      ${Object.entries(HISTOGRAMS).map(([name, [title, label]]) => this.#histogram(name, title, label))}
      ${Object.entries(TABLES).map(([name, table]) => this.#card(name, table))}
      <section class="card wide" id="statistics-trunks"><h2>Trunks</h2>${this.#table('trunks', 'Trunks', TRUNK_COLUMNS, null)}</section></div></div>`;
  }

  #histogram(name, title, label) {
    const rows = bins(this.data[name] ?? []);
    const sum = rows.reduce((all, row) => all + row.count, 0);
    return html`<section class="card" id="statistics-${name}"><h2>${title}</h2>${sum === 0 ? html`<p class="muted">Nothing was measured.</p>` : html`<offhook-plot kind="bar"
      .label=${`${title}: ${rows.map((row) => `${label(row)} ${row.count}`).join(', ')}`} .labels=${rows.map(label)}
      .series=${[{label: 'count', data: rows.map((row) => row.count), colour: 'accent'}]} .options=${{scales: {x: {grid: {display: false}}, y: {beginAtZero: true, ticks: {precision: 0}}}}}></offhook-plot>`}</section>`;
  }

  #card(name, {title, columns, value}) {
    return html`<section class="card" id="statistics-${name}"><h2>${title}</h2>${this.#table(name, title, columns, value)}</section>`;
  }

  #table(name, title, columns, value) {
    const rows = this.data[name] ?? [];
    if (rows.length === 0) {
      return html`<p class="muted">None.</p>`;
    }
    const most = value ? Math.max(1, ...rows.map(value)) : 0;
    const shown = this.all.has(name) ? rows : rows.slice(0, SHOWN_ROWS);
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Table: ${title}"><table><thead><tr>${columns.map(([label, , end]) => html`<th scope="col" class=${end ? 'end' : ''}>${label}</th>`)}${value ? html`<td></td>` : nothing}</tr></thead>
      <tbody>${shown.map((row) => html`<tr>${columns.map(([, cell, end]) => html`<td class=${end ? 'end' : 'break'}>${cell(row)}</td>`)}${value ? html`<td class="share">${svg`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width=${(100 * value(row)) / most} height="8"></rect></svg>`}</td>` : nothing}</tr>`)}</tbody></table></div>
      ${rows.length > shown.length ? html`<button type="button" class="plain" @click=${() => (this.all = new Set([...this.all, name]))}>All ${count(rows.length)}</button>` : nothing}`;
  }
}

customElements.define('offhook-statistics', Statistics);
