import {html, nothing} from 'lit';
import {count, millis, percent, plural} from './figures.js';
import {localTime} from './filters.js';
import {go, link} from './route.js';
import {utc} from './settings.js';
import {TableList} from './table-list.js';
import {visible} from './text.js';
import {listTime} from './times.js';
import {mosText} from './words.js';
import './grid.js';

const FILTERS = {codec: 'codec', from: 'from', to: 'until'};
const NEWEST = '-firstAt';
const figure = (id, label, width, render) => ({id, label, width, sort: id, end: true, render});
const text = (id, label, width) => ({id, label, width, sort: id, render: (stream) => html`<span title=${visible(stream[id])}>${visible(stream[id])}</span>`});

/** @type {import('./grid.js').Column[]} */
const COLUMNS = [
  {id: 'time', label: 'Time', width: '158px', sort: 'firstAt', render: (stream) => listTime(stream.firstAt, utc())},
  text('direction', 'Direction', '90px'),
  text('source', 'Source', 'minmax(148px, 1fr)'),
  text('destination', 'Destination', 'minmax(148px, 1fr)'),
  {...text('ssrc', 'SSRC', '90px'), render: (stream) => html`<span class="mono">${visible(stream.ssrc)}</span>`},
  text('codec', 'Codec', '64px'),
  figure('packets', 'Packets', '66px', (stream) => count(stream.packets)),
  figure('lostPercent', 'Lost', '54px', (stream) => percent(stream.lostPercent)),
  figure('longestBurst', 'In a row', '64px', (stream) => count(stream.longestBurst)),
  figure('discardPercent', 'Too late', '62px', (stream) => percent(stream.discardPercent)),
  figure('meanJitterMs', 'Jitter', '60px', (stream) => millis(stream.meanJitterMs)),
  figure('maxJitterMs', 'Highest', '62px', (stream) => millis(stream.maxJitterMs)),
  figure('maxDeltaMs', 'Max delta', '74px', (stream) => millis(stream.maxDeltaMs)),
  figure('mos', 'MOS', '74px', (stream) => html`${mosText(stream.mos, stream.mosScale)}${stream.mosTrusted ? nothing : html` <span title="Not to be trusted: the capture itself lost packets">?</span>`}`),
  figure('farEndLostPercent', 'RTCP lost', '74px', (stream) => percent(stream.farEndLostPercent)),
  figure('farEndRoundTripMs', 'Round trip', '78px', (stream) => millis(stream.farEndRoundTripMs)),
];

function narrow(stream) {
  return html`<div class="line"><span class="grow">${visible(stream.source)} → ${visible(stream.destination)}</span>${mosText(stream.mos, stream.mosScale)}</div>
    <div class="line small"><span>${listTime(stream.firstAt, utc(), 0)}</span><span>${visible(stream.codec)}</span><span>${percent(stream.lostPercent)} lost</span><span class="muted">${millis(stream.meanJitterMs)} jitter</span></div>`;
}

/** The streams of all calls. */
export class StreamList extends TableList {
  constructor() {
    super('streams', NEWEST);
  }

  get filters() {
    return Object.fromEntries(['text', 'codec', 'mos-below', 'from', 'to'].map((name) => [name, this.params.get(name)]));
  }

  /** Filters that only an address has: those of a link from another page. */
  #chips() {
    const names = Object.keys(FILTERS).filter((name) => this.filters[name]);
    return names.length === 0 ? nothing : html`<div class="chips">${names.map((name) => html`<button type="button" class="chip"
      aria-label="Remove the filter ${FILTERS[name]} ${visible(this.filters[name])}" @click=${() => this.change({[name]: null})}>${FILTERS[name]}: ${visible(this.#chipText(name))} <span aria-hidden="true">×</span></button>`)}</div>`;
  }

  #chipText(name) {
    const value = this.filters[name];
    return name === 'codec' ? value.replaceAll(',', ', ') : localTime(value).replace('T', ' ') || value;
  }

  #empty() {
    return Object.values(this.filters).some(Boolean)
      ? html`<strong>No stream matches these filters.</strong><button type="button" @click=${() => this.change({text: null, codec: null, 'mos-below': null, from: null, to: null})}>Clear the filters</button>`
      : html`<strong>No streams.</strong><span>RTP of calls appears here as soon as it is captured; offhook streams FILE finds RTP without SIP.</span>`;
  }

  render() {
    return html`<div class="list-head"><h1>Streams</h1>
      <label class="search"><span class="sr">Search address, SSRC, codec or Call-ID</span><input id="search" type="search" placeholder="Search  ( / )"
        autocomplete="off" spellcheck="false" .value=${this.params.get('text') ?? ''} @input=${(event) => this.type('text', event)}></label>
      <label class="inline">MOS below <input id="filter-mos-below" type="number" min="1" max="5" step="0.1" .value=${this.params.get('mos-below') ?? ''} @input=${(event) => this.type('mos-below', event)}></label>
      ${this.#chips()}
      <span class="push"></span><span class="muted" id="stream-count" role="status">${this.total === undefined ? '' : plural(this.total, 'stream')}</span></div>
      <offhook-grid id="streams" label="Streams" .columns=${COLUMNS} .load=${this.load} .narrow=${narrow} .sort=${this.sort}
        .keyOf=${(stream) => stream.id} .empty=${() => this.#empty()}
        @grid-sort=${(event) => this.change({sort: event.detail})}
        @grid-open=${(event) => event.detail.call && go(`${link(`/calls/${encodeURIComponent(event.detail.call)}`)}#${event.detail.ssrc},${event.detail.source}`)}></offhook-grid>`;
  }
}

customElements.define('offhook-stream-list', StreamList);
