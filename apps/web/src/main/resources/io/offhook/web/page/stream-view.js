import {html, nothing, svg} from 'lit';
import {PageElement} from './element.js';
import {bytes, count, decimal, isEstimate, millis, mos, percent} from './figures.js';
import {streamMos} from './ladder-layout.js';
import {hasFarEnd, lossStrip, points, timeStep} from './stream-figures.js';
import {visible} from './text.js';
import {length, millisBetween} from './times.js';
import {mosText} from './words.js';
import './plot.js';

const row = (name, ours, theirs) => html`<tr><th scope="row">${name}</th><td class="end">${ours || '–'}</td><td class="end">${theirs || '–'}</td></tr>`;

/** Those of some figures that are known, with commas between. */
const known = (...figures) => figures.filter(Boolean).join(', ');
const most = (figure) => (figure ? `at most ${figure}` : '');

/** One stream of a call: its course over time, RTCP's view beside ours, the inputs of its MOS. */
export class StreamView extends PageElement {
  static properties = {stream: {attribute: false}, call: {attribute: false}, number: {type: Number}, opened: {type: Boolean}};

  /** Shows the stream, as from the ladder. */
  open() {
    this.opened = true;
    this.updateComplete.then(() => {
      this.scrollIntoView({block: 'start'});
      this.querySelector('summary').focus();
    });
  }

  render() {
    const {stream} = this;
    const {value, scale, inputs} = streamMos(stream);
    return html`<details class="stream" id="stream-${this.number}" ?open=${this.opened} @toggle=${(event) => (this.opened = event.target.open)}>
      <summary><span class="dot ${stream.direction === 'from caller' ? 'caller' : 'callee'}" aria-hidden="true"></span>
        <strong>${visible(stream.direction ?? 'stream')}</strong><span>${visible(stream.codec)} ${visible(stream.mediaType)}</span>
        <span>MOS ${value === null ? '–' : mosText(value, scale, isEstimate(inputs))}</span><span>${percent(stream.lostPercent)} lost</span>
        ${inputs && !inputs.trusted ? html`<span class="badge warn" title="The capture itself lost packets while this stream ran, or the receiver reports that it got more than was captured: the listener may have heard better quality">▾ capture loss: MOS not to be trusted</span>` : nothing}
        <span class="mono muted">${visible(stream.source)} → ${visible(stream.destination)}</span></summary>
      ${this.opened ? this.#body(stream) : nothing}</details>`;
  }

  #body(stream) {
    return html`${this.#strip(stream)}
      <div class="stream-body">
        <div class="stream-plots">${(stream.intervals ?? []).length > 0 ? this.#plots(stream) : html`<p class="muted">This stream is too short for a course over time.</p>`}</div>
        <div class="stream-tables">${this.#figures(stream)}${this.#inputs(stream)}</div>
      </div>`;
  }

  #strip(stream) {
    const strip = lossStrip(stream);
    const worst = strip.reduce((most, piece) => (piece.percent > (most?.percent ?? 0) ? piece : most), null);
    const words = worst ? `Loss over time: at worst ${percent(worst.percent)} within 5 s` : 'Loss over time: nothing lost or late';
    return strip.length === 0 ? nothing : html`<figure class="strip"><figcaption class="small muted">${words}. Taller is more; ${stream.lossBursts.longest} in a row at most.</figcaption>
      <svg viewBox="0 0 1000 26" preserveAspectRatio="none" role="img" aria-label=${words}>${strip.map((piece) => {
        const height = piece.grade === '' ? 1 : piece.percent === 0 ? 3 : 6 + Math.min(20, piece.percent * 2);
        return svg`<rect class="strip-piece ${piece.grade}" x=${piece.from * 1000} y=${26 - height} width=${Math.max(1.5, (piece.until - piece.from) * 1000 - 1)} height=${height}><title>${piece.lost} lost, ${piece.discarded} too late: ${percent(piece.percent)}</title></rect>`;
      })}</svg></figure>`;
  }

  #plots(stream) {
    const start = this.call.firstSeenAt; // as on the ladder, and of problems
    const of = (get) => points(stream, start, get);
    const far = hasFarEnd(stream);
    const [from, until] = [millisBetween(start, stream.firstAt) / 1000, millisBetween(start, stream.lastAt) / 1000];
    const step = timeStep(until - from);
    const at = (seconds) => (step < 1 ? `${decimal(seconds, 1)} s` : length(Math.max(0, Math.round(seconds * 1000))));
    const x = {type: 'linear', title: {display: true, text: 'Time since the first message of the call'}, ticks: {stepSize: step, includeBounds: false, callback: at}, min: from, max: until};
    const tooltip = {callbacks: {title: ([item]) => (item ? `at ${at(item.parsed.x)}` : '')}};
    const ms = {type: 'linear', beginAtZero: true, suggestedMax: 5, title: {display: true, text: 'ms'}};
    const quality = [{label: 'MOS as played', data: of((one) => one.mos), colour: 'accent'}];
    if (far && stream.intervals.some((one) => one.farEnd?.mosListening)) {
      quality.push({label: 'MOS-LQ by RTCP XR', data: of((one) => one.farEnd?.mosListening), colour: 'callee'});
    }
    const loss = [{label: 'lost and late %', data: of((one) => one.lossPercent), colour: 'bad'}, ...(far ? [{label: 'lost % by RTCP', data: of((one) => one.farEnd?.lostPercent), colour: 'callee'}] : [])];
    const jitter = [{label: 'jitter', data: of((one) => one.meanJitterMs), colour: 'accent'}, {label: 'highest jitter', data: of((one) => one.maxJitterMs), colour: 'warn'},
      ...(far ? [{label: 'jitter by RTCP', data: of((one) => one.farEnd?.jitterMs), colour: 'callee'}] : [])];
    const plot = (name, series, y) => html`<figure><figcaption>${name}</figcaption><offhook-plot class="plot-${name.toLowerCase()}" .label=${`${name} over time`} .series=${series} .options=${{scales: {x, y}, tooltip}}></offhook-plot></figure>`;
    const isRated = quality.some((series) => series.data.some((point) => point.y !== null));
    return html`${isRated ? plot('MOS', quality, {type: 'linear', min: 1, max: stream.mosScale === 'fullband' ? 5 : 4.6, ticks: {stepSize: 1, includeBounds: false}})
      : html`<figure class="plot-none"><figcaption>MOS</figcaption><p class="muted">No MOS: ${visible(stream.playout?.mosMissing ?? stream.mosMissing ?? 'its inputs are unknown')}.</p></figure>`}
      ${plot('Loss', loss, {type: 'linear', beginAtZero: true, suggestedMax: 1, title: {display: true, text: '%'}})}
      ${plot('Jitter', jitter, ms)}${plot('Delta', [{label: 'longest time between packets', data: of((one) => one.maxDeltaMs), colour: 'accent'}], ms)}`;
  }

  #figures(stream) {
    const far = stream.farEnd;
    const played = stream.playout;
    return html`<table class="figures"><caption class="sr">Figures of the stream</caption><thead><tr><td></td><th scope="col" class="end">Captured here</th>
      <th scope="col" class="end">Receiver, by RTCP</th></tr></thead><tbody>
      ${row('Packets', `${count(stream.packets)} of ${count(stream.expected)}`, far ? `${count(far.reports)} reports` : 'no report')}
      ${row('Lost', `${count(stream.lost)} (${percent(stream.lostPercent)})`, far ? [far.cumulativeLost !== null ? count(far.cumulativeLost) : '', far.lostPercent !== null ? `${percent(far.lostPercent)}, at most ${percent(far.maxLostPercent)}` : ''].filter(Boolean).join(', ') : '')}
      ${row('In a row', known(count(stream.lossBursts.longest), stream.lossBursts.meanLength === null ? '' : `mean ${decimal(stream.lossBursts.meanLength)}`), '')}
      ${row('Burst ratio', decimal(stream.burstRatio, 2), '')}
      ${row('Too late to be played', played ? `${count(played.discarded)} (${percent(played.discardPercent)})` : visible(stream.playoutMissing), '')}
      ${row('Jitter', known(millis(stream.meanJitterMs), most(millis(stream.maxJitterMs))), far?.maxJitterMs !== null && far ? `${millis(far.jitterMs)}, at most ${millis(far.maxJitterMs)}` : '')}
      ${row('Delta', known(millis(stream.meanDeltaMs), most(millis(stream.maxDeltaMs))), '')}
      ${row('Clock skew', millis(stream.skewMs), '')}
      ${row('Round trip', '', millis(far?.roundTripMs))}
      ${row('MOS', mos(streamMos(stream).value, streamMos(stream).scale, isEstimate(streamMos(stream).inputs)), far?.mosListening ? `LQ ${decimal(far.mosListening)}${far.mosConversational ? `, CQ ${decimal(far.mosConversational)}` : ''}` : '')}
      ${row('Lowest MOS in 5 s', stream.minMos !== null ? `${decimal(stream.minMos)}${stream.minMosAt ? ` at ${length(millisBetween(this.call.firstSeenAt, stream.minMosAt))}` : ''}` : '', '')}
      ${row('Below MOS 3.6', percent(stream.below36Percent), '')}
      ${row('Duplicates, reordered', `${count(stream.duplicates)}, ${count(stream.reordered)}`, '')}
      ${row('SSRC', html`<span class="mono">${visible(stream.ssrc)}</span>`, '')}
      ${row('Payload', known(bytes(stream.payloadBytes), ...stream.payloads.map((one) => `${one.payloadType} ${visible(one.codec)}`)), '')}
      ${stream.digits ? row('Keys', visible(stream.digits), '') : nothing}</tbody></table>`;
  }

  #inputs(stream) {
    const {inputs} = streamMos(stream);
    if (!inputs && (stream.intervals ?? []).length > 0) {
      return nothing; // the place of the plot says why
    }
    if (!inputs) {
      return html`<p class="muted">No MOS: ${visible(stream.playout?.mosMissing ?? stream.mosMissing ?? 'its inputs are unknown')}.</p>`;
    }
    const played = stream.playout?.mosInputs === inputs ? stream.playout : null;
    const line = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
    return html`<details class="inputs"><summary>Inputs of the MOS</summary><dl class="facts">
      ${line('Coding', visible(inputs.coding))}${line('Basis', `${inputs.basis}${isEstimate(inputs) ? ' (estimate)' : ''}`)}
      ${line('Ie', decimal(inputs.ie, 2))}${line('Bpl', decimal(inputs.bpl, 2) || '–')}${line('Loss (Ppl)', percent(inputs.lossPercent))}
      ${line('BurstR', decimal(inputs.burstRatio, 2))}${line('Delay (Ta)', `${millis(inputs.delayMs)}, ${inputs.delayMeasured ? 'measured' : 'assumed'}`)}
      ${line('Id', decimal(inputs.delayImpairment, 2))}${line('Ie,eff', decimal(inputs.effectiveImpairment, 2))}
      ${line('R', decimal((played ?? stream).rFactor, 1))}${played ? line('Jitter buffer', `${played.buffer}, ${millis(played.sizeMs)}, mean wait ${millis(played.meanDelayMs)}`) : nothing}
      ${inputs.note ? line('Note', visible(inputs.note)) : nothing}</dl></details>`;
  }
}

customElements.define('offhook-stream-view', StreamView);
