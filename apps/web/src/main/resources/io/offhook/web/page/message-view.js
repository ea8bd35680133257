import {html, nothing} from 'lit';
import {PageElement} from './element.js';
import {difference, previousOfKind} from './diff.js';
import {messageLabel} from './ladder-layout.js';
import {parts} from './message-parts.js';
import {count} from './figures.js';
import {keep, setting, utc} from './settings.js';
import {visible, visibleLines} from './text.js';
import {clock, day, millisBetween, offset} from './times.js';

const TABS = {explained: 'Explained', raw: 'Raw', difference: 'Difference'};

/** One message: as captured, explained, and against the one before of its kind. */
export class MessageView extends PageElement {
  static properties = {message: {attribute: false}, messages: {attribute: false}, tab: {state: true}};

  constructor() {
    super();
    this.tab = setting('message', 'explained');
  }

  #choose(tab) {
    this.tab = tab;
    keep('message', tab);
  }

  #onTabKey(event) {
    const names = Object.keys(TABS);
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step) {
      event.preventDefault();
      this.#choose(names[(names.indexOf(this.tab) + step + names.length) % names.length]);
      this.updateComplete.then(() => this.querySelector('[aria-selected="true"]').focus());
    }
  }

  render() {
    const message = this.message;
    if (!message) {
      return html`<p class="muted">Choose a message.</p>`;
    }
    return html`<h2 id="message-title">${visible(messageLabel(message))}</h2>
      <p class="message-facts"><span class="mono">${visible(message.source)} → ${visible(message.destination)}</span>
        <span>${day(message.time, utc())} ${clock(message.time, utc(), 6)}</span>
        <span>packet ${count(message.frame)}</span><span>${visible(message.transport)}</span><span>${count(message.length)} bytes</span></p>
      <div class="segments" role="tablist" aria-label="Show the message" @keydown=${this.#onTabKey}>${Object.entries(TABS).map(([tab, label]) => html`<button
        type="button" role="tab" id="tab-${tab}" aria-selected=${String(tab === this.tab)} aria-controls="message-body" tabindex=${tab === this.tab ? 0 : -1} @click=${() => this.#choose(tab)}>${label}</button>`)}</div>
      <div id="message-body" role="tabpanel" aria-labelledby="tab-${this.tab}" tabindex="0">${this.#body(message)}</div>`;
  }

  #body(message) {
    if (message.text === null || message.text === undefined) {
      return html`<p class="muted">The text of this message is not kept.</p>`;
    }
    switch (this.tab) {
      case 'raw':
        return html`<pre class="raw">${visibleLines(message.text).join('\n')}</pre>`;
      case 'difference':
        return this.#difference(message);
      default:
        return html`<div class="explained">${parts(message.text).map((part) => this.#part(part))}</div>`;
    }
  }

  #part(part) {
    const colon = part.kind === 'header' ? part.text.indexOf(':') : -1;
    return html`<div class="line-of ${part.kind}"><code>${colon > 0 ? html`<b>${part.text.slice(0, colon)}</b>${part.text.slice(colon)}` : part.text || '\u00a0'}</code>
      ${part.meaning || part.parameters.length > 0 ? html`<span class="meaning">${part.meaning?.text}${part.meaning?.rfc ? html` <span class="rfc">${part.meaning.rfc}</span>` : nothing}${part.parameters.map(({name, meaning}) => html` <span class="parameter"><b>${visible(name)}</b> ${meaning.text}${meaning.rfc && meaning.rfc !== part.meaning?.rfc ? html` <span class="rfc">${meaning.rfc}</span>` : nothing}</span>`)}</span>` : nothing}</div>`;
  }

  #difference(message) {
    const before = previousOfKind(this.messages, message);
    if (!before) {
      return html`<p class="muted">This is the first message of its kind in the call: there is none to compare it with.</p>`;
    }
    const lines = difference(visibleLines(before.text), visibleLines(message.text));
    const marks = {same: ['\u00a0', ''], gone: ['−', 'Removed: '], new: ['+', 'Added: ']};
    return html`<p class="muted">Against ${visible(messageLabel(before))} of packet ${count(before.frame)}, ${offset(millisBetween(before.time, message.time))} s earlier${lines.every((line) => line.kind === 'same') ? ': no difference' : ''}</p>
      <div class="diff">${lines.map((line) => html`<div class=${line.kind}><span aria-hidden="true">${marks[line.kind][0]}</span><span class="sr">${marks[line.kind][1]}</span>${line.text}</div>`)}</div>`;
  }
}

customElements.define('offhook-message-view', MessageView);
