import {html, nothing} from 'lit';
import {PageElement} from './element.js';
import {messageLabel} from './ladder-layout.js';
import {sdpOf} from './message-parts.js';
import {agreement, exchanges, readSdp} from './sdp.js';
import {utc} from './settings.js';
import {visible} from './text.js';
import {clock} from './times.js';

/** Offer and answer side by side, and what was agreed. */
export class SdpView extends PageElement {
  static properties = {messages: {attribute: false}, gone: {attribute: false}, chosen: {state: true}};

  constructor() {
    super();
    this.chosen = 0;
  }

  willUpdate(changed) {
    if (changed.has('messages')) {
      this.exchanges = exchanges(this.messages);
      this.chosen = Math.min(this.chosen, Math.max(0, this.exchanges.length - 1));
    }
  }

  render() {
    if (this.exchanges.length === 0) {
      return html`<p class="muted">${this.gone ? 'Deleted with the texts of the messages.' : 'No message of this call has an SDP that was captured.'}</p>`;
    }
    const {offer, answer} = this.exchanges[this.chosen];
    const offered = readSdp(sdpOf(offer.text));
    const answered = answer ? readSdp(sdpOf(answer.text)) : null;
    return html`${this.exchanges.length > 1 ? html`<label class="field">Exchange<select id="sdp-exchange" @change=${(event) => (this.chosen = Number(event.target.value))}>
        ${this.exchanges.map((one, i) => html`<option value=${i} ?selected=${i === this.chosen}>${i + 1}: ${clock(one.offer.time, utc())} ${visible(messageLabel(one.offer))} ${visible(one.offer.source)} → ${visible(one.offer.destination)}${one.answer ? ` / ${visible(messageLabel(one.answer))}` : ''}</option>`)}</select></label>` : nothing}
      <div class="table-scroll" tabindex="0" role="region" aria-label="Table of offer and answer"><table id="sdp-table"><thead><tr><td></td>
        <th scope="col">Offer: ${visible(messageLabel(offer))}, ${visible(offer.source)}</th>
        <th scope="col">Answer: ${answer ? `${visible(messageLabel(answer))}, ${visible(answer.source)}` : 'none captured'}</th><th scope="col">Agreed</th></tr></thead>
      ${offered.media.map((medium, i) => this.#medium(medium, answered?.media[i], Boolean(answer)))}</table></div>
      <div class="sdp-raw">${[['Offer', offer], ['Answer', answer]].map(([name, message]) => message ? html`<details><summary>${name} as captured</summary><pre class="raw">${sdpOf(message.text).split(/\r\n|\n|\r/).map(visible).join('\n')}</pre></details>` : nothing)}</div>`;
  }

  #medium(offer, answer, answered) {
    const agreed = answered ? agreement(offer, answer) : null;
    const row = (name, value, result = '') => html`<tr><th scope="row">${name}</th><td>${value(offer)}</td><td>${answer ? value(answer) : ''}</td><td>${result}</td></tr>`;
    const verdict = !agreed ? 'no answer captured' : agreed.refused ? html`<span class="badge bad">✕ refused</span>` : html`<span class="badge good">✓ accepted</span>`;
    return html`<tbody>
      ${row(html`<strong>${visible(offer.type)}</strong>`, (m) => visible(m.protocol), verdict)}
      ${row('Receives at', (m) => html`<span class="mono">${visible(m.address)}:${m.port}</span>`)}
      ${row('Direction', (m) => m.direction, agreed?.flow ?? '')}
      ${row('Codecs', (m) => html`<ul class="plain-list">${m.payloads.map((p) => html`<li><span class="mono">${visible(p.type)}</span> ${visible(p.name)}${p.parameters ? html` <span class="muted">${visible(p.parameters)}</span>` : nothing}</li>`)}</ul>`,
        agreed && !agreed.refused ? (agreed.codecs.length > 0 ? agreed.codecs.map(visible).join(', ') : html`<span class="badge bad">✕ no codec in common</span>`) : '')}
      ${row('Packet time', (m) => (m.ptime ? `${visible(m.ptime)} ms` : ''))}
      ${row('Security', (m) => visible([...new Set(m.security)].join(', ')), visible(agreed?.security))}</tbody>`;
  }
}

customElements.define('offhook-sdp-view', SdpView);
