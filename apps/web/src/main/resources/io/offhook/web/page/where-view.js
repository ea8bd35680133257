import {html, nothing} from 'lit';
import {get} from './api.js';
import {PageElement} from './element.js';
import {count, millis, percent} from './figures.js';
import {legLetters} from './ladder-layout.js';
import {visible} from './text.js';
import {outcome} from './words.js';

/** What is between two points: how much got lost on the way, and how long it took. */
function between(passage) {
  const lost = passage.lost > 0 ? `${count(passage.lost)} lost (${percent(passage.lossPercent)})` : 'nothing lost';
  return `${passage.lossPercent >= 1 ? '✕ ' : ''}${lost}${passage.delayMs ? `, ${millis(passage.delayMs.median)}` : ''}`;
}

/**
 * The passages of a call as ways: each begins at a point that is behind no other.
 * @param {Object[]} passages as the API has them
 * @returns {Object[][]} the passages of each way, in the order in which packets take them
 */
export function ways(passages) {
  const key = (point) => `${point.source} ${point.destination} ${point.ssrc}`;
  const next = new Map(passages.map((passage) => [key(passage.from), passage]));
  const behind = new Set(passages.map((passage) => key(passage.to)));
  return passages.filter((passage) => !behind.has(key(passage.from))).map((first) => {
    const way = [];
    for (let passage = first; passage && !way.includes(passage); passage = next.get(key(passage.to))) {
      way.push(passage);
    }
    return way;
  });
}

const POLL_MS = 1000;

/** What a delay of a segment says: those above the least where the clocks of two captures cannot be compared. */
function delayText(delay) {
  return delay.medianMs === null ? '–' : `${delay.aboveLeast ? '+' : ''}${millis(delay.medianMs)}, ${delay.aboveLeast ? '+' : ''}${millis(delay.p95Ms)}, ${delay.aboveLeast ? '+' : ''}${millis(delay.maxMs)}`;
}

/** How the clock of a capture differs from that of the first one. */
function clockText(point, index) {
  if (index === 0) {
    return 'delays are measured by its clock';
  }
  if (!point.clock) {
    return 'nothing in common with the captures before';
  }
  if (point.clock.basis === 'same') {
    return 'the same clock';
  }
  return point.clock.basis === 'oneDirection' ? 'its offset cannot be separated from the delay' : `${point.clock.offsetMs >= 0 ? 'ahead by' : 'behind by'} ${millis(Math.abs(point.clock.offsetMs))}${point.clock.uncertaintyMs === null ? '' : ` ± ${millis(point.clock.uncertaintyMs)}`}`;
}

/** The legs of a call and what happened to its media between the points at which it was captured. */
export class WhereView extends PageElement {
  static properties = {call: {attribute: false}, points: {state: true}};

  willUpdate(changed) {
    if (changed.has('call') && this.call?.id !== changed.get('call')?.id) {
      this.points = null;
      this.#ask(this.call.id);
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  /** Asks how captures of several points compare, again while they are being read. */
  async #ask(id) {
    clearTimeout(this.timer);
    try {
      const points = await get(`/calls/${encodeURIComponent(id)}/points`);
      if (this.call?.id === id && this.isConnected) {
        this.points = points;
        if (points.state === 'reading') {
          this.timer = setTimeout(() => this.#ask(id), POLL_MS);
        }
      }
    } catch (error) {
      this.points = {state: 'failed', message: error.message};
    }
  }

  /** The captures as points: what each segment between them lost and how long it took. */
  #points() {
    const {points} = this;
    if (!points || points.state === 'none') {
      return nothing;
    }
    if (points.state !== 'ready') {
      return html`<p class="muted" role="status">${points.state === 'reading' ? 'The captures are being compared…' : `The captures cannot be compared: ${visible(points.message)}`}</p>`;
    }
    const seen = points.points.filter((point) => point.hasCall);
    if (seen.length < 2) {
      return html`<p class="muted">Of the captures, only one has this call.</p>`;
    }
    return html`<h3>Between the captures</h3><ul class="points" id="points">${points.points.map((point, i) => html`<li><strong>${point.point}</strong> <span class="mono">${visible(point.name)}</span> <span class="small muted">${clockText(point, i)}</span></li>`)}</ul>
      <div class="table-scroll" tabindex="0" role="region" aria-label="Between the captures"><table id="between-captures"><thead><tr><th scope="col">Media</th><th scope="col">From</th><th scope="col">To</th><th scope="col" class="end">Packets</th>
        <th scope="col" class="end">Lost between</th><th scope="col" class="end">Lost before</th><th scope="col" class="end">Delay: median, 95 %, most</th><th scope="col" class="end">Jitter added</th><th scope="col">Remark</th></tr></thead>
        <tbody>${points.streams.map((way) => this.#between(way))}${points.messages.map((message) => html`<tr><td>${visible(message.message)}</td><td>${message.way === 'lost' ? message.seenAt : message.missingAt}</td><td>${message.way === 'lost' ? message.missingAt : message.seenAt}</td><td class="end">${count(message.transmissions)}</td>
          <td class="end">${message.way === 'lost' ? html`<span class="badge bad">✕ ${count(message.missing)}</span>` : '–'}</td><td class="end">–</td><td class="end">–</td><td class="end">–</td><td>${message.way === 'lost' ? 'message lost' : `not captured at ${message.missingAt}`}</td></tr>`)}</tbody></table></div>`;
  }

  #between(way) {
    if (way.segments.length === 0) {
      return html`<tr><td>${visible(way.from ?? way.ssrc)}</td><td>${way.stops[0]?.point}</td><td>${visible(way.missingAt ?? '–')}</td><td class="end">${count(way.stops[0]?.packets)}</td><td class="end">–</td><td class="end">–</td><td class="end">–</td><td class="end">–</td>
        <td>${way.kind === 'rewritten' ? `sent anew at ${way.missingAt}` : html`<span class="badge bad">✕ not seen at ${way.missingAt}</span>`}</td></tr>`;
    }
    const name = (stop) => `${stop.point}${stop.hop ?? ''}`;
    return way.segments.map((segment, i) => html`<tr><td>${way.from ? `from ${visible(way.from)}` : visible(way.ssrc)}</td><td>${name(way.stops[i])}</td><td>${name(way.stops[i + 1])}</td><td class="end">${count(segment.present)}</td>
      <td class="end"><span class=${segment.lossPercent >= 1 ? 'badge bad' : ''}>${segment.lossPercent >= 1 ? '✕ ' : ''}${count(segment.lost)} (${percent(segment.lossPercent)})</span></td><td class="end">${i === 0 ? count(way.lostBefore) : '–'}</td>
      <td class="end">${delayText(segment.delay)}</td><td class="end">${segment.delay.spreadMs === null ? '–' : millis(segment.delay.spreadMs)}</td><td>${segment.order ? nothing : 'order not known'}${segment.delay.aboveLeast ? html` <span class="small muted">above the least delay</span>` : nothing}</td></tr>`);
  }

  render() {
    const {call} = this;
    return html`${this.#legs(call)}${this.#points()}
      ${call.passages.length === 0
        ? html`<p class="muted">${call.gone ? 'Deleted with the report of this call.' : call.streams.length === 0 ? 'No media of this call was captured.' : 'Each stream of this call was captured at one point only. Capture before and behind a relay, or give the captures of several machines together, to see loss and delay of each segment.'}</p>`
        : html`${ways(call.passages).map((way) => this.#way(way))}<div class="table-scroll" tabindex="0" role="region" aria-label="Segments"><table id="passages"><thead><tr><th scope="col">Media</th><th scope="col">First point</th><th scope="col">Next point</th>
          <th scope="col" class="end">Packets</th><th scope="col" class="end">Lost between</th><th scope="col" class="end">Lost before</th><th scope="col" class="end">Delay: median, 95 %, most</th><th scope="col" class="end">Jitter added</th><th scope="col">Remark</th></tr></thead>
          <tbody>${call.passages.map((passage) => this.#passage(passage))}</tbody></table></div>
          ${call.passages.some((passage) => passage.delayMs) ? nothing : html`<p class="muted" id="no-delays">Delays are not measured: offhook serve --passages compares the packets one by one.</p>`}`}`;
  }

  #way(way) {
    const point = ({source, destination}, missing) => html`<li class="point"><span class="mono">${visible(source)}</span><span class="mono">→ ${visible(destination)}</span>
      <span class="small muted">${missing > 0 ? `${count(missing)} missing here` : 'complete here'}</span></li>`;
    return html`<div class="way"><strong>${visible(way[0].direction)}</strong><ol>${point(way[0].from, way[0].lostBefore)}${way.map((passage) => html`<li class="segment ${passage.lossPercent >= 1 ? 'lossy' : ''}"><span>${between(passage)}</span></li>${point(passage.to, passage.lost + Math.max(0, passage.lostBefore - passage.extra))}`)}</ol></div>`;
  }

  #passage(passage) {
    const end = (point) => html`<span class="mono">${visible(point.source)} → ${visible(point.destination)}</span>`;
    const delay = passage.delayMs;
    const bad = passage.lossPercent >= 1;
    return html`<tr><td>${visible(passage.direction)}</td><td>${end(passage.from)}</td><td>${end(passage.to)}</td><td class="end">${count(passage.present)}</td>
      <td class="end"><span class=${bad ? 'badge bad' : ''}>${bad ? '✕ ' : ''}${count(passage.lost)} (${percent(passage.lossPercent)})</span></td><td class="end">${count(passage.lostBefore)}</td>
      <td class="end">${delay ? `${millis(delay.median)}, ${millis(delay.p95)}, ${millis(delay.max)}` : '–'}</td><td class="end">${millis(passage.addedJitterMs) || '–'}</td>
      <td>${passage.level === 'rewritten' ? html`<span class="badge">relay’s own stream</span>` : nothing}${passage.trusted ? nothing : html`<span class="badge warn" title="The capture lost packets meanwhile, or the receiver got what is missing">▾ not to be trusted</span>`}</td></tr>`;
  }

  #legs(call) {
    const letters = legLetters(call);
    if (call.dialogs.length > 1) {
      return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Legs"><table id="legs"><thead><tr><th scope="col">Leg</th><th scope="col">First hop</th><th scope="col">Outcome</th><th scope="col">Call-ID</th><th scope="col">Why it belongs</th></tr></thead>
        <tbody>${call.dialogs.map((dialog) => html`<tr><td>${letters.get(dialog.callId)} ${visible(dialog.role)}</td><td class="mono">${visible(dialog.source)} → ${visible(dialog.destination)}</td>
          <td>${outcome(dialog.outcome, dialog.finalStatus)}</td><td class="mono">${visible(dialog.callId)}</td><td>${dialog.reasons.map(visible).join(', ')}</td></tr>`)}</tbody></table></div>`;
    }
    return call.legs.length > 1 ? html`<ol class="hops" id="legs">${call.legs.map((leg) => html`<li class="mono">${visible(leg.source)} → ${visible(leg.destination)}</li>`)}</ol>` : nothing;
  }
}

customElements.define('offhook-where-view', WhereView);
