import {html, nothing} from 'lit';
import {get} from './api.js';
import {PageElement} from './element.js';
import {bytes, count, decimal, plural} from './figures.js';
import {link} from './route.js';
import {utc} from './settings.js';
import {sentence, visible} from './text.js';
import {clock, day, length} from './times.js';

const POLL_MS = 2000;
// What the states of a thread of the JVM mean.
const THREAD_STATES = {runnable: 'running or ready', blocked: 'waits for a lock', waiting: 'waits', timed_waiting: 'waits for a time', new: 'not started', terminated: 'ended'};
const STATES = {reading: ['◌', 'neutral'], listening: ['●', 'good'], done: ['✓', 'neutral'], ready: ['✓', 'good'], failed: ['✕', 'bad']};

/** What Offhook itself does: inputs, drops, memory, store, threads. */
export class System extends PageElement {
  static properties = {data: {state: true}, alerts: {state: true}, uploads: {state: true}, error: {state: true}};

  connectedCallback() {
    super.connectedCallback();
    this.refresh();
    this.timer = setInterval(() => !document.hidden && this.refresh(), POLL_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  /** Reads the state again. */
  async refresh() {
    try {
      const [data, {uploads}, alerts] = await Promise.all([get('/system'), get('/uploads', {in: ''}), get('/alerts', {in: ''})]);
      this.data = data;
      this.alerts = alerts;
      this.uploads = uploads;
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  render() {
    const {data} = this;
    const head = html`<div class="list-head"><h1>System</h1>${this.error && data ? html`<span class="badge bad" role="status">✕ ${this.error.message}</span>` : nothing}</div>`;
    if (!data) {
      return html`${head}<div class="state" role=${this.error ? 'alert' : 'status'}>${this.error ? sentence(this.error.message) : 'Loading…'}</div>`;
    }
    const dropped = data.drops.reduce((sum, drop) => sum + drop.count, 0);
    return html`${head}<div class="page-body"><div class="cards">
      <section class="card wide" id="system-inputs"><h2>Inputs</h2>${this.#table('Inputs', ['Input', 'Kind', 'State', 'Packets', 'Bytes', 'Dropped by the kernel', 'Dropped by the ring', 'Refused', 'Message'], data.inputs, (input) => [
        visible(input.name), input.kind, this.#state(input), count(input.packets), bytes(input.bytes), this.#dropped(input, input.kernelDrops), this.#dropped(input, input.ringDrops), this.#refused(input), visible(input.message)], new Set([3, 4, 5, 6]))}${(data.notes ?? []).map((note) => html`<p class="muted">${visible(note)}</p>`)}</section>
      <section class="card" id="system-drops"><h2>Drops ${dropped > 0 ? html`<span class="badge bad">▼ ${count(dropped)}</span>` : html`<span class="badge good">✓ nothing dropped</span>`}</h2>
        ${this.#table('Drops', ['Cause', 'Packets'], data.drops, (drop) => [visible(drop.cause), count(drop.count)], new Set([1]))}</section>
      <section class="card" id="system-alerts"><h2>Alerts ${this.#alertState()}</h2>${this.#alerts()}</section>
      <section class="card" id="system-memory"><h2>Memory</h2><dl class="facts stacked">
        ${this.#fact('Heap', html`${bytes(data.memory.heapUsedBytes)} of ${bytes(data.memory.heapMostBytes)} <meter max=${data.memory.heapMostBytes} value=${data.memory.heapUsedBytes} aria-label="Heap used"></meter>`)}
        ${this.#fact('Process', bytes(data.memory.processBytes))}</dl></section>
      <section class="card" id="system-store"><h2>Store</h2>${data.store ? html`<dl class="facts stacked">
        ${this.#fact('File', visible(data.store.file) || 'temporary (--db FILE keeps one)')}${this.#fact('Size', bytes(data.store.bytes))}${data.store.fileBytes > 0 ? this.#fact('Days in files', bytes(data.store.fileBytes)) : nothing}${this.#fact('Calls', count(data.store.calls))}
        ${this.#fact('Streams', count(data.store.streams))}${this.#fact('Messages', count(data.store.messages))}
        ${this.#fact('Lost', data.store.lost > 0 ? html`<span class="badge bad">▼ ${count(data.store.lost)}</span>` : '0')}${this.#fact('Waiting to be written', bytes(data.store.queuedBytes))}</dl>` : html`<p class="muted">No store.</p>`}</section>
      <section class="card" id="system-offhook"><h2>Offhook</h2><dl class="facts stacked">
        ${this.#fact('Version', visible(data.version))}${this.#fact('Started', `${day(data.startedAt, utc())} ${clock(data.startedAt, utc(), 0)}, ${length(Math.max(0, Date.now() - Number(data.startedAt) * 1000))} ago`)}
        ${this.#fact('Audio', data.audioAllowed ? 'allowed' : 'off: --allow-audio')}${this.#fact('Packets', data.packetsKept ? 'there, for export and audio' : 'not kept: --keep-packets')}${this.#fact('Uploads', data.uploadMostBytes ? `up to ${bytes(data.uploadMostBytes)}` : 'off')}</dl></section>
      ${this.uploads.length > 0 ? html`<section class="card" id="system-uploads"><h2>Uploaded captures</h2>${this.#table('Uploaded captures', ['Capture', 'State', 'Calls'], this.uploads, (one) => [
        one.state === 'ready' ? html`<a href=${link('/', {in: one.id})}>${visible(one.name)}</a>` : visible(one.name), html`${this.#state(one)} ${visible(one.message)}`, count(one.calls)], new Set([2]))}</section>` : nothing}
      <section class="card" id="system-threads"><h2>Threads</h2>${this.#table('Threads', ['Thread', 'CPU', 'State'], data.threads, (thread) => [visible(thread.name), `${decimal(thread.cpuPercent)} %`, THREAD_STATES[thread.state] ?? visible(thread.state)], new Set([1]))}</section>
    </div></div>`;
  }

  /** What an input dropped; a file drops nothing. */
  #dropped(input, packets) {
    return input.kind === 'file' ? '–' : packets > 0 ? html`<span class="badge bad">▼ ${count(packets)}</span>` : '0';
  }

  /** Packets of HEP agents that were refused, and why; others are not refused. */
  #refused(input) {
    const reasons = [[input.refusedWrongKey, 'without the right key'], [input.refusedMalformed, 'malformed']].filter(([packets]) => packets > 0);
    return input.kind !== 'hep' ? '–' : reasons.length === 0 ? '0' : reasons.map(([packets, why]) => html`<span class="badge warn">▾ ${count(packets)} ${why}</span> `);
  }

  #alertState() {
    const {alerts} = this;
    return alerts.rules === 0 ? nothing : alerts.alerts.length > 0
      ? html`<span class="badge bad">▼ ${count(alerts.alerts.length)} raised</span>` : html`<span class="badge good">✓ none raised</span>`;
  }

  /** The alerts that are raised, or how one gets any. */
  #alerts() {
    const {alerts, rules} = this.alerts;
    if (rules === 0) {
      return html`<p class="muted">No rules: <code>alerts</code> in the configuration has them, and whom they notify.</p>`;
    }
    return alerts.length === 0 ? html`<p class="muted">${plural(rules, 'rule')} watch${rules === 1 ? 'es' : ''} the calls.</p>` : this.#table('Alerts', ['Alert', 'Since', 'What'], alerts,
      (alert) => [visible(alert.name), `${day(alert.since, utc())} ${clock(alert.since, utc(), 0)}`, visible(alert.text)], new Set());
  }

  #fact(name, value) {
    return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  }

  #state(input) {
    const [mark, tone] = STATES[input.state] ?? ['·', 'neutral'];
    return html`<span class="badge ${tone}"><span aria-hidden="true">${mark}</span> ${visible(input.state)}${input.percent !== null && input.state === 'reading' ? ` ${Math.floor(input.percent)} %` : ''}</span>`;
  }

  #table(title, headings, rows, cells, figures) {
    return rows.length === 0 ? html`<p class="muted">None.</p>` : html`<div class="table-scroll" tabindex="0" role="region" aria-label="Table: ${title}"><table><thead><tr>${headings.map((heading, i) => html`<th scope="col" class=${figures.has(i) ? 'end' : ''}>${heading}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${cells(row).map((cell, i) => html`<td class=${figures.has(i) ? 'end' : ''}>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
  }
}

customElements.define('offhook-system', System);
