import {html, nothing} from 'lit';
import {get, saveBlob, savePackets} from './api.js';
import {elapsed} from './columns.js';
import {PageElement} from './element.js';
import {count, isEstimate, setUp} from './figures.js';
import {isKeyed} from './keyed.js';
import {ROW} from './ladder-layout.js';
import {back, link} from './route.js';
import {utc} from './settings.js';
import {sentence, visible} from './text.js';
import {clock, day, length, zone} from './times.js';
import {originText, shape, verdict, worstMos} from './verdict.js';
import {mosText, outcome} from './words.js';
import './audio-view.js';
import './keys-view.js';
import './ladder.js';
import './message-view.js';
import './problem-list.js';
import './quality-reports.js';
import './sdp-view.js';
import './stream-view.js';
import './where-view.js';

// What went neither well nor wrong by itself: the outcome has been said.
const NEITHER = new Set(['busy', 'declined', 'cancelled', 'unavailable', 'failed', 'redirected', 'ringing']);
// A call of a trunk's conference may have very many streams; beyond these, plots open on request.
const OPEN_STREAMS = 4;

/** The page of one call. */
export class CallView extends PageElement {
  static properties = {
    callKey: {attribute: false}, source: {attribute: false},
    call: {state: true}, messages: {state: true}, error: {state: true}, message: {state: true}, row: {state: true}, notice: {state: true},
  };

  constructor() {
    super();
    this.call = null;
    this.messages = null;
    this.notice = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.clock = setInterval(() => !document.hidden && this.call?.running && this.requestUpdate(), 1000); // its length
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.clock);
  }

  willUpdate(changed) {
    if (changed.has('callKey') || changed.has('source')) {
      this.call = null;
      this.messages = null;
      this.message = null;
      this.row = null;
      this.follows = false;
      this.#load();
    }
  }

  updated() {
    // As high as the ladder needs, so that a short call shows more below it.
    const rows = (this.messages?.length ?? 0) + (this.call?.streams.length ?? 0) + (this.call?.problems.length ?? 0);
    this.querySelector('.call-flow')?.style.setProperty('--needed', `${rows * ROW + 160}px`);
  }

  async #load() {
    const key = this.callKey;
    const path = `/calls/${encodeURIComponent(key)}`;
    try {
      const [call, {messages}] = await Promise.all([get(path), get(`${path}/messages`)]);
      if (key !== this.callKey) {
        return;
      }
      this.error = null;
      const first = this.call === null;
      const kept = this.message?.frame;
      this.follows = call.running || (this.follows && call.durationMs === null && ['ongoing', 'ringing'].includes(call.outcome));
      this.call = call;
      this.messages = messages;
      this.message = messages.find((one) => one.frame === kept) ?? messages[0] ?? null;
      document.title = `${visible(call.from)} → ${visible(call.to)} · Offhook`;
      await this.updateComplete;
      if (first && !this.#openStream()) {
        this.querySelector('#ladder')?.focus({preventScroll: true});
        this.#showMessage();
      }
    } catch (error) {
      this.error = error;
    }
  }

  /** Opens the stream that the address names. Returns whether it names one. */
  #openStream() {
    const index = location.hash ? this.call.streams.findIndex((stream) => location.hash === `#${stream.ssrc},${stream.source}`) : -1;
    this.querySelectorAll('offhook-stream-view')[index]?.open();
    return index >= 0;
  }

  /** Shows the message that the address names. */
  #showMessage() {
    const frame = /^#packet-(\d+)$/.exec(location.hash)?.[1];
    const message = frame ? this.messages.find((one) => String(one.frame) === frame) : null;
    if (message) {
      this.querySelector('offhook-ladder')?.show(message);
    }
  }

  /** Calls changed: a running call is read again, until its end is there, which is written a moment after it ended. */
  async refresh() {
    if (this.follows) {
      await this.#load();
    }
  }

  /** The zone of times changed. */
  redraw() {
    this.requestUpdate();
    this.querySelectorAll('offhook-ladder, offhook-message-view, offhook-sdp-view, offhook-stream-view').forEach((view) => view.requestUpdate());
  }

  /** A key of the page that belongs to the call. Returns whether it did. */
  key(event) {
    if (event.key === 'F2') {
      this.#savePackets();
    } else if ((event.key === 't' || event.key === 'T') && !event.typing) {
      this.querySelector('offhook-ladder')?.nextMode();
    } else if (event.key === 'Escape' && this.querySelector('.message-card')?.contains(document.activeElement)) {
      this.querySelector('#ladder').focus();
    } else if (event.key === 'Escape') {
      back();
    } else {
      return false;
    }
    return true;
  }

  /** Copies the address of the call, and of the message that was chosen. */
  async #copyLink() {
    const place = this.message && this.message !== this.messages[0] ? `#packet-${this.message.frame}` : '';
    const address = `${location.origin}${location.pathname}${location.search}${place}`;
    try {
      await navigator.clipboard.writeText(address);
      this.notice = 'The link is on the clipboard.';
    } catch {
      this.notice = `The browser keeps the clipboard to itself. The link: ${address}`;
    }
  }

  async #savePackets() {
    try {
      await savePackets([this.call.id]);
      this.notice = '';
    } catch (error) {
      this.notice = `The packets could not be saved: ${error.message}`;
    }
  }

  #saveJson() {
    const text = JSON.stringify({call: this.call, messages: this.messages}, null, 2);
    saveBlob(new Blob([text], {type: 'application/json'}), `call-${this.call.id}.json`);
  }

  #onSelect(row) {
    this.row = row;
    if (row.kind === 'message') {
      this.message = row.item;
    }
  }

  /** What is chosen on the ladder: a message, or else a few words about it. */
  #chosen(call) {
    const {row} = this;
    if (!row || row.kind === 'message') {
      return html`<offhook-message-view .message=${this.message} .messages=${this.messages}></offhook-message-view>`;
    }
    const stream = row.kind === 'media' || row.kind === 'rtcp' ? row.item : null;
    return html`<h2 id="message-title">${visible(row.label)}</h2>
      <p class="message-facts"><span>${day(row.time, utc())} ${clock(row.time, utc(), 6)}</span>${stream ? html`<span class="mono">${visible(stream.source)} → ${visible(stream.destination)}</span>` : nothing}</p>
      ${stream ? html`<button type="button" id="show-stream" @click=${() => this.#onOpen(row)}>Show the stream</button>` : nothing}
      ${row.kind === 'problem' ? html`<offhook-problem-list .problems=${[row.item]} .start=${call.firstSeenAt}></offhook-problem-list>` : nothing}`;
  }

  /** What Enter or a click on the ladder opens: the message, or the stream. */
  #onOpen(row) {
    if (row?.kind === 'media' || row?.kind === 'rtcp') {
      const stream = this.querySelectorAll('offhook-stream-view')[this.call.streams.indexOf(row.item)];
      stream?.open();
    } else {
      const card = this.querySelector('.message-card');
      this.querySelector('#message-body')?.focus({preventScroll: true});
      card.scrollTop = 0;
      card.scrollIntoView({block: 'nearest'});
    }
  }

  render() {
    if (this.error && !this.call) {
      return html`<div class="state" role="alert"><h1>This call cannot be shown</h1><p>${sentence(this.error.message)}</p><p><a href=${link('/')}>Calls</a></p></div>`;
    }
    if (!this.call) {
      return html`<div class="state" role="status">Loading the call…</div>`;
    }
    const {call, messages} = this;
    return html`${this.#head(call)}
      <offhook-keys-view .call=${call} .source=${this.source}></offhook-keys-view>
      ${this.notice ? html`<p class="notice" role="status">${this.notice} <button type="button" class="plain" @click=${() => (this.notice = '')}>Close</button></p>` : nothing}
      ${call.gone ? html`<p id="gone" class="notice" role="note">Only a part of this call is kept. Deleted, as it is old: ${call.gone.join('; ')}.</p>` : nothing}
      <div class="page-body">
        ${call.problems.length > 0 ? html`<section class="card wide" aria-labelledby="problems-title"><h2 id="problems-title">Problems</h2><offhook-problem-list .problems=${call.problems} .start=${call.firstSeenAt}></offhook-problem-list></section>` : nothing}
        <section class="call-flow" aria-label="Messages"><div class="card"><offhook-ladder .call=${call} .messages=${messages}
          @ladder-select=${(event) => this.#onSelect(event.detail)} @ladder-open=${(event) => this.#onOpen(event.target.layout.rows[event.target.active])}></offhook-ladder></div>
          <div class="card message-card" role="group" aria-label="Message">${this.#chosen(call)}</div></section>
        ${call.streams.length > 0 ? html`<section class="card wide" aria-labelledby="audio-title"><h2 id="audio-title">Audio</h2><offhook-audio-view .call=${call}></offhook-audio-view></section>` : nothing}
        <section class="card wide" aria-labelledby="streams-title"><h2 id="streams-title">Streams</h2>
          ${call.streams.length === 0 ? html`<p class="muted">No RTP of this call was captured.</p>` : call.streams.map((stream, i) => html`<offhook-stream-view .stream=${stream} .call=${call} .number=${i + 1} .opened=${i < OPEN_STREAMS}></offhook-stream-view>`)}</section>
        ${call.qualityReports.length > 0 ? html`<section class="card wide" aria-labelledby="reports-title"><h2 id="reports-title">What the phones reported</h2><offhook-quality-reports .reports=${call.qualityReports} .start=${call.firstSeenAt}></offhook-quality-reports></section>` : nothing}
        <section class="card wide" aria-labelledby="sdp-title"><h2 id="sdp-title">Offer and answer</h2><offhook-sdp-view .messages=${messages} .gone=${Boolean(call.gone)}></offhook-sdp-view></section>
        <section class="card wide" aria-labelledby="where-title"><h2 id="where-title">Where it got lost</h2><offhook-where-view .call=${call}></offhook-where-view></section>
      </div>`;
  }

  #head(call) {
    const {how, bad, why} = verdict(call);
    const worst = worstMos(call);
    const facts = [
      ['When', `${day(call.firstSeenAt, utc())} ${clock(call.firstSeenAt, utc())} ${zone(call.firstSeenAt, utc())}`],
      ['Set-up', setUp(call.setUpMs)],
      ['Length', call.running && call.durationMs === null ? elapsed(call) : length(call.durationMs)],
      ['Hung up by', call.hungUpBy],
      ['Codec', `${call.codec ?? ''}${call.encrypted ? ' SRTP' : ''}`],
      ['Caller', call.callerSoftware],
      ['Callee', call.calleeSoftware],
      ['Identity', call.assertedIdentity],
      ['Diverted', call.diversion ?? call.historyInfo],
      ['Keys', ['caller', 'callee'].map((side) => [side, call.keys.filter((key) => key.side === side).map((key) => key.key).join('')])
        .filter(([, keys]) => keys).map(([side, keys]) => `${keys} by ${side}`).join(', ')],
      ['Reason', call.reason],
      ['Call-ID', call.callId],
      ['Captured', `${shape(call)}${call.origin ? `, ${originText(call.origin)}` : ''}`],
    ].filter(([, value]) => value);
    return html`<div class="call-head" id="call-head">
      <div class="call-title"><h1>${this.#party(call.from, call.fromUri)} → ${this.#party(call.to, call.toUri)}</h1>
        ${outcome(call.outcome, call.finalStatus, call.running)}${worst ? html`<span>MOS ${mosText(worst.value, worst.scale, isEstimate(worst.inputs))}</span>` : nothing}
        ${call.running ? html`<span class="badge good">● running</span>` : nothing}<span class="push"></span>
        <button type="button" id="save-packets" title="Save its SIP, RTP and RTCP as pcapng (F2)" @click=${() => this.#savePackets()}>Save packets</button>
        ${isKeyed(this.source) ? nothing : html`<button type="button" id="add-keys" title="Read what is encrypted, with keys that you have" @click=${() => this.querySelector('offhook-keys-view').toggle()}>Keys…</button>`}
        ${isKeyed(this.source) ? nothing : html`<button type="button" id="copy-link" title="Copy the permanent link of this call, with the message that is chosen" @click=${() => this.#copyLink()}>Copy link</button>`}
        <button type="button" id="save-json" title="Save the call and its messages as JSON" @click=${() => this.#saveJson()}>JSON</button></div>
      <p id="verdict" class="verdict">${how} ${why ? html`<span class="why ${bad ? 'is-bad-text' : 'muted'}">${bad ? html`<span class="mark" aria-hidden="true">✕</span>Bad: ` : nothing}${visible(why)}.</span>` : html`<span class="muted">${NEITHER.has(call.outcome) ? '' : call.running ? 'Nothing is wrong so far.' : call.problems?.length ? 'Nothing was wrong, but see the notes.' : 'Nothing was wrong.'}</span>`}</p>
      <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${visible(value)}</dd></div>`)}</dl>
      ${this.#relations(call)}</div>`;
  }

  /** Caller or callee, with a link to all calls of that number. */
  #party(number, uri) {
    return number ? html`<a href=${link('/', {number})} title="Calls of ${visible(number)}">${visible(number)}</a>` : html`${visible(uri) || 'unknown'}`;
  }

  #relations(call) {
    const kinds = {transferredTo: 'Transferred to', replacedBy: 'Replaced by', pickedUpBy: 'Picked up by', forkedTo: 'Forked to'};
    const named = [...call.relations.map((one) => [kinds[one.kind] ?? one.kind, one.callId, one.proof]),
      ...call.possibleJoins.map((one) => ['Possibly a leg of it', one.callId, `${count(one.score)} points: ${one.reasons.join(', ')}`])];
    return named.length === 0 ? nothing : html`<p class="relations">${named.map(([name, id, proof]) => html`<span title=${visible(proof)}>${name} <a href=${link('/', {text: id})}>${visible(id)}</a></span>`)}</p>`;
  }
}

customElements.define('offhook-call-view', CallView);
