import {html, nothing, svg} from 'lit';
import {saveBlob} from './api.js';
import {PageElement} from './element.js';
import {ladderImage, pngOf} from './ladder-image.js';
import {barLeft, labelAt, ladder, LINE, ROW, rowTime} from './ladder-layout.js';
import {keep, setting, utc} from './settings.js';
import {visible} from './text.js';
import {clock, offset} from './times.js';

const MODES = {absolute: 'Absolute', relative: 'Relative', delta: 'Delta'};
const SHOWN = {media: 'Media', rtcp: 'RTCP', keys: 'DTMF', problems: 'Problems'};
const BEYOND = 10;
const LEAST_COLUMN = 168;
const MOST_COLUMN = 480;
// What is chosen is below the ladder then, not beside it.
const ONE_COLUMN = matchMedia('(max-width: 1100px)');

/** The message flow of a call. Events: `ladder-select` (detail: the row), and `ladder-open` when it is to be shown. */
export class Ladder extends PageElement {
  static properties = {
    call: {attribute: false}, messages: {attribute: false}, active: {state: true}, mode: {state: true}, shown: {state: true},
    name: {}, column: {state: true}, notice: {state: true}, first: {state: true}, view: {state: true},
  };

  constructor() {
    super();
    this.active = 0;
    this.mode = setting('times', 'relative');
    this.shown = setting('ladder', {media: true, rtcp: false, keys: false, problems: true});
    this.column = 220;
    this.name = 'call';
    this.first = 0;
    this.view = 30;
  }

  willUpdate(changed) {
    if (changed.has('call') || changed.has('messages') || changed.has('shown')) {
      const before = this.layout?.rows[this.active];
      this.layout = ladder(this.call, this.messages, this.shown);
      this.active = Math.max(0, this.layout.rows.findIndex((row) => row.kind === before?.kind && row.time === before.time && row.label === before.label));
    }
  }

  firstUpdated() {
    this.resized = new ResizeObserver(() => this.#measure());
    this.resized.observe(this.scroller);
    this.#measure();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.resized?.disconnect();
  }

  /** Pixels of the column of times. */
  get times() {
    return this.mode === 'absolute' ? 122 : 80;
  }

  get scroller() {
    return this.querySelector('.ladder-scroll');
  }

  #measure() {
    const share = Math.floor((this.scroller.clientWidth - this.times - 4) / Math.max(1, this.layout.hosts.length));
    this.column = Math.min(MOST_COLUMN, Math.max(LEAST_COLUMN, share));
    this.view = Math.ceil(this.scroller.clientHeight / ROW);
    this.#onScroll();
  }

  #onScroll() {
    this.first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - BEYOND);
  }

  updated() {
    const width = this.layout.hosts.length * this.column;
    const inner = this.querySelector('.ladder-inner');
    inner.style.width = `${width + this.times}px`;
    inner.style.setProperty('--times', `${this.times}px`);
    this.querySelector('.ladder-times').style.height = `${this.layout.height}px`;
    this.querySelectorAll('.ladder-time').forEach((cell) => (cell.style.top = `${cell.dataset.row * ROW}px`));
  }

  /** Moves to a row and shows what is behind it. */
  select(index, scroll = true) {
    this.active = Math.max(0, Math.min(index, this.layout.rows.length - 1));
    const row = this.layout.rows[this.active];
    if (scroll) {
      const head = this.querySelector('.ladder-hosts').offsetHeight;
      const top = this.active * ROW;
      const least = top + ROW + head + 4 - this.scroller.clientHeight;
      this.scroller.scrollTop = Math.min(top, Math.max(this.scroller.scrollTop, least));
    }
    if (row) {
      this.dispatchEvent(new CustomEvent('ladder-select', {detail: row, bubbles: true}));
    }
  }

  /** Moves to the row of a message or stream. */
  show(item) {
    const index = this.layout.rows.findIndex((row) => row.item === item);
    if (index >= 0) {
      this.select(index);
    }
  }

  #onClick(index) {
    this.select(index, false);
    if (ONE_COLUMN.matches) {
      this.dispatchEvent(new CustomEvent('ladder-open', {bubbles: true}));
    }
  }

  #onKey(event) {
    const page = Math.max(1, this.view - 3);
    const moves = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page,
      Home: 0, End: this.layout.rows.length - 1,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key in moves) {
      this.select(moves[event.key]);
    } else if (event.key === 'Enter') {
      this.select(this.active);
      this.dispatchEvent(new CustomEvent('ladder-open', {bubbles: true}));
    } else if (event.key === 't' || event.key === 'T') {
      this.nextMode();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Absolute, relative and delta times in turn. */
  nextMode() {
    const names = Object.keys(MODES);
    this.#setMode(names[(names.indexOf(this.mode) + 1) % names.length]);
  }

  #setMode(mode) {
    this.mode = mode;
    keep('times', mode);
    this.#measure();
  }

  #toggle(name) {
    this.shown = {...this.shown, [name]: !this.shown[name]};
    keep('ladder', this.shown);
  }

  /** The time of a row in the mode that was chosen. */
  timeOf(index) {
    const row = this.layout.rows[index];
    return this.mode === 'absolute' ? clock(row.time, utc(), 6).slice(0, 15) : offset(rowTime(this.layout.rows, index, this.mode), this.mode === 'delta' ? '+' : '');
  }

  async #export(kind) {
    const image = ladderImage(this.layout, (index) => this.timeOf(index));
    const name = `${this.name}-ladder-${this.call.id}`;
    this.notice = '';
    if (kind === 'svg') {
      saveBlob(new Blob([image.text], {type: 'image/svg+xml'}), `${name}.svg`);
      return;
    }
    try {
      saveBlob(await pngOf(image), `${name}.png`);
    } catch {
      this.notice = 'This ladder is too long for a PNG; save it as SVG.';
    }
  }

  render() {
    const {hosts, rows, bars, height} = this.layout;
    const until = Math.min(rows.length, this.first + this.view + 2 * BEYOND);
    const indexes = Array.from({length: Math.max(0, until - this.first)}, (_, i) => this.first + i);
    const width = hosts.length * this.column;
    return html`<div class="ladder-bar">
        <div class="segments" role="group" aria-label="Times">${Object.entries(MODES).map(([mode, label]) => html`<button type="button"
          id="times-${mode}" aria-pressed=${String(this.mode === mode)} @click=${() => this.#setMode(mode)}>${label}</button>`)}</div>
        ${this.name === 'call' ? html`<div class="segments" role="group" aria-label="Shown">${Object.entries(SHOWN).map(([name, label]) => html`<button type="button"
          id="shown-${name}" aria-pressed=${String(Boolean(this.shown[name]))} @click=${() => this.#toggle(name)}>${label}</button>`)}</div>` : nothing}
        <span class="push"></span>
        <button type="button" id="export-svg" title="Save the ladder as an SVG image" @click=${() => this.#export('svg')}>SVG</button>
        <button type="button" id="export-png" title="Save the ladder as a PNG image" @click=${() => this.#export('png')}>PNG</button>
      </div>
      ${this.notice ? html`<p class="notice" role="alert">${this.notice}</p>` : nothing}
      <div class="ladder-scroll" id="ladder" role="listbox" tabindex="0" aria-label=${this.name === 'call' ? 'Messages and media of the call' : 'Messages'}
        aria-activedescendant=${rows.length > 0 ? `ladder-row-${this.active}` : nothing} @keydown=${this.#onKey} @scroll=${this.#onScroll}>
        <div class="ladder-inner" role="presentation">
          <div class="ladder-hosts" role="presentation"><span class="ladder-corner">Time</span>${hosts.map((host) => html`<div class="ladder-host" title="${visible(host.key)} ${visible(host.software)}">
            <strong>${visible(host.key)}</strong><span>${visible(host.software)}</span></div>`)}</div>
          <div class="ladder-body" role="presentation">
            <div class="ladder-times" role="presentation">${indexes.map((index) => html`<div class="ladder-time ${index === this.active ? 'active' : ''}" data-row=${index}
              role="presentation">${this.timeOf(index)}</div>`)}</div>
            <svg width=${width} height=${height} role="presentation">
              ${hosts.map((_, i) => svg`<line class="life" x1=${(i + 0.5) * this.column} x2=${(i + 0.5) * this.column} y1="0" y2=${height}></line>`)}
              ${bars.flatMap((bar) => bar.pieces.map((piece) => this.#piece(bar, piece)))}
              ${indexes.map((index) => this.#row(index, rows[index], width))}
            </svg>
          </div>
        </div>
        ${rows.length === 0 ? html`<div class="state">No message of this call is kept.</div>` : nothing}
      </div>`;
  }

  #piece(bar, {from, until, grade}) {
    const wide = grade === 'bad' ? 5 : grade === 'warn' ? 4 : 3;
    return svg`<rect class="bar ${grade}" x=${barLeft(bar, this.column)} y=${from} width=${wide} height=${Math.max(1, until - from - 1)}></rect>`;
  }

  #row(index, row, width) {
    const y = index * ROW;
    const x1 = (row.from + 0.5) * this.column;
    const x2 = (row.to + 0.5) * this.column;
    const direction = Math.sign(x2 - x1);
    const active = index === this.active;
    const words = `${row.label}, ${this.timeOf(index)}`;
    return svg`<g id="ladder-row-${index}" class="arrow ${row.kind} ${row.tone} ${row.copy} ${active ? 'active' : ''}" role="option"
      aria-selected=${String(active)} aria-setsize=${this.layout.rows.length} aria-posinset=${index + 1} aria-label=${visible(words)}
      data-kind=${row.kind} @click=${() => this.#onClick(index)}>
      <rect class="hit" x="0" y=${y} width=${width} height=${ROW}></rect>
      ${this.#mark(row, y, x1, x2, direction, width)}</g>`;
  }

  #mark(row, y, x1, x2, direction, width) {
    const line = y + LINE;
    if (row.kind === 'problem' || row.kind === 'hold') {
      const {x, anchor} = labelAt(x1, width);
      return svg`<path class="flag" d="M${x1} ${line - 5}l5 5l-5 5l-5 -5z"></path>
        <text class="label" x=${x} y=${line + 4} text-anchor=${anchor}>${row.tone === 'bad' ? '✕ ' : ''}${visible(row.label)}</text>`;
    }
    if (direction === 0) {
      return svg`<path class="shaft" d="M${x1} ${line - 6}h28v10h-22"></path><path class="head" d="M${x1 + 1} ${line + 4}l7 -4v8z"></path>
        <text class="label" x=${x1 + 34} y=${line + 3}>${visible(row.label)}</text>`;
    }
    const tip = x2 - direction;
    return svg`<path class="shaft" d="M${x1} ${line}H${tip - direction * 6}"></path>
      <path class="head" d="M${tip} ${line}l${-direction * 8} -4v8z"></path>
      <text class="label" x=${(x1 + x2) / 2} y=${line - 5} text-anchor="middle">${fit(visible(row.label), Math.abs(x2 - x1))}</text>`;
  }
}

/** A label no longer than its arrow; the whole of it is in the option's name. */
export function fit(label, pixels) {
  const most = Math.max(6, Math.floor((pixels - 22) / 6.7));
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}

customElements.define('offhook-ladder', Ladder);
