import {html, nothing} from 'lit';
import {PageElement} from './element.js';
import {visible} from './text.js';
import {OUTCOMES, PROBLEMS} from './words.js';

/** The parameters of the address that filter calls: those of the API. */
export const FILTERS = ['text', 'number', 'address', 'outcome', 'codec', 'mos-below', 'problem', 'bad', 'failed', 'running', 'from', 'to'];
const CODECS = ['PCMU', 'PCMA', 'G722', 'G729', 'opus', 'GSM', 'iLBC', 'G726-32', 'AMR', 'AMR-WB', 'EVS', 'speex'];
const NAMES = {
  text: 'text', number: 'number', address: 'address', outcome: 'outcome', codec: 'codec', 'mos-below': 'MOS below',
  problem: 'problem', from: 'from', to: 'until',
};

/**
 * The filters in an address.
 * @param {URLSearchParams} params
 * @returns {Object<string, string>}
 */
export function filtersOf(params) {
  return Object.fromEntries(FILTERS.filter((name) => params.get(name)).map((name) => [name, params.get(name)]));
}

/** A time of the address as the browser's field for local times wants it; empty if it is none. */
export function localTime(text) {
  if (!text) {
    return '';
  }
  const time = /^\d+(\.\d+)?$/.test(text) ? new Date(Number(text) * 1000) : new Date(text);
  if (Number.isNaN(time.getTime())) {
    return '';
  }
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The filter bar. Event `filters-change` has all filters as its detail. */
export class Filters extends PageElement {
  static properties = {value: {attribute: false}, open: {state: true}};

  constructor() {
    super();
    this.value = {};
    this.open = false;
  }

  /** Puts the cursor into the search field. */
  search() {
    this.querySelector('#search').select();
  }

  /** Shows or hides all filters. */
  async toggle() {
    this.open = !this.open;
    await this.updateComplete;
    (this.open ? this.querySelector('#filter-number') : this.querySelector('#filters-toggle')).focus();
  }

  #set(name, value) {
    const next = {...this.value, [name]: value};
    if (!value) {
      delete next[name];
    }
    this.dispatchEvent(new CustomEvent('filters-change', {detail: next, bubbles: true}));
  }

  #type(name, event) {
    clearTimeout(this.timer);
    const value = event.target.value.trim();
    this.timer = setTimeout(() => this.#set(name, value), event.type === 'change' ? 0 : 250);
  }

  #check(name, item, checked) {
    const items = new Set((this.value[name] ?? '').split(',').filter(Boolean));
    items[checked ? 'add' : 'delete'](item);
    this.#set(name, [...items].join(','));
  }

  render() {
    return html`<form class="filters" role="search" aria-label="Filter calls" @submit=${(event) => event.preventDefault()}>
      <div class="filter-line">
        <label class="search"><span class="sr">Search Call-ID, URI, address, software or verdict</span>
          <input id="search" type="search" placeholder="Search  ( / )" autocomplete="off" spellcheck="false"
            .value=${this.value.text ?? ''} @input=${(event) => this.#type('text', event)}></label>
        ${[['bad', 'Bad'], ['failed', 'Failed'], ['running', 'Running']].map(([name, label]) => html`<button type="button"
          class="toggle" id="filter-${name}" aria-pressed=${String(this.value[name] === 'true')}
          @click=${() => this.#set(name, this.value[name] === 'true' ? '' : 'true')}>${label}</button>`)}
        <button type="button" id="filters-toggle" class="toggle" aria-expanded=${String(this.open)} aria-controls="filters-more"
          title="F7" @click=${() => this.toggle()}>Filters${this.#active() ? html` <span class="count">${this.#active()}</span>` : nothing}</button>
        ${Object.keys(this.value).length > 0
          ? html`<button type="button" id="filters-clear" class="plain" @click=${() => this.dispatchEvent(new CustomEvent('filters-change', {detail: {}, bubbles: true}))}>Clear</button>`
          : nothing}
      </div>
      ${this.open ? this.#more() : this.#chips()}
    </form>`;
  }

  #active() {
    return Object.keys(this.value).filter((name) => name in NAMES && name !== 'text').length;
  }

  #chips() {
    const names = Object.keys(this.value).filter((name) => name in NAMES && name !== 'text');
    return names.length === 0 ? nothing : html`<div class="chips">${names.map((name) => html`<button type="button" class="chip"
      aria-label="Remove the filter ${NAMES[name]} ${visible(this.value[name])}" @click=${() => this.#set(name, '')}>${NAMES[name]}: ${visible(this.#chipText(name))}
      <span aria-hidden="true">×</span></button>`)}</div>`;
  }

  #chipText(name) {
    if (name === 'problem') {
      return this.value[name].split(',').map((kind) => PROBLEMS[kind] ?? kind).join(', ');
    }
    return name === 'from' || name === 'to' ? localTime(this.value[name]).replace('T', ' ') || this.value[name] : this.value[name].replaceAll(',', ', ');
  }

  #more() {
    return html`<div id="filters-more" class="filters-more">
      ${this.#field('number', 'Number', 'in From or To')}
      ${this.#field('address', 'Address', '192.0.2.')}
      <label class="field">MOS below<input id="filter-mos-below" type="number" min="1" max="5" step="0.1"
        .value=${this.value['mos-below'] ?? ''} @change=${(event) => this.#type('mos-below', event)}></label>
      ${['from', 'to'].map((name) => html`<label class="field">${name === 'from' ? 'Begun from' : 'Begun until'}<input
        id="filter-${name}" type="datetime-local" step="1" .value=${localTime(this.value[name])}
        @change=${(event) => this.#set(name, event.target.value ? new Date(event.target.value).toISOString() : '')}></label>`)}
      ${this.#choice('outcome', 'Outcome', OUTCOMES.map((name) => [name, name]))}
      ${this.#choice('problem', 'Problem', Object.entries(PROBLEMS))}
      ${this.#choice('codec', 'Codec', CODECS.map((name) => [name, name]))}
    </div>`;
  }

  #field(name, label, hint) {
    return html`<label class="field">${label}<input id="filter-${name}" type="text" placeholder=${hint} autocomplete="off"
      spellcheck="false" .value=${this.value[name] ?? ''} @input=${(event) => this.#type(name, event)}></label>`;
  }

  #choice(name, label, items) {
    const chosen = new Set((this.value[name] ?? '').split(',').filter(Boolean));
    return html`<fieldset class="choice" id="filter-${name}"><legend>${label}</legend>${items.map(([item, words]) => html`<label
      class="tick"><input type="checkbox" value=${item} .checked=${chosen.has(item)}
      @change=${(event) => this.#check(name, item, event.target.checked)}>${words}</label>`)}</fieldset>`;
  }
}

customElements.define('offhook-filters', Filters);
