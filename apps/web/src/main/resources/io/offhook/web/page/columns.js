import {html, nothing} from 'lit';
import {count, setUp} from './figures.js';
import {day, length, listTime, millisBetween} from './times.js';
import {keep, setting, utc} from './settings.js';
import {visible} from './text.js';
import {originText} from './verdict.js';
import {mosText, outcome} from './words.js';

// The columns of the list of calls, and which of them a user has chosen.

const text = (id, label, width, value = (call) => call[id], sort = id) => ({
  id,
  label,
  width,
  sort,
  render: (call) => html`<span title=${visible(value(call))}>${visible(value(call))}</span>`,
});

/** How long a running call has been, if this browser's clock is that of the capture. */
export function elapsed(call) {
  const millis = millisBetween(call.answeredAt, (Date.now() / 1000).toFixed(3));
  return millis !== null && millis >= 0 && millis < 86_400_000 ? `${length(millis)} …` : 'running';
}

/** @type {import('./grid.js').Column[]} */
export const COLUMNS = [
  {id: 'day', label: 'Day', width: '96px', sort: 'firstSeenAt', render: (call) => day(call.firstSeenAt, utc())},
  {id: 'time', label: 'Time', width: '158px', sort: 'firstSeenAt', render: (call) => listTime(call.firstSeenAt, utc())},
  text('from', 'From', 'minmax(120px, 1fr)', (call) => call.from ?? call.fromUri),
  text('to', 'To', 'minmax(120px, 1fr)', (call) => call.to ?? call.toUri),
  {id: 'outcome', label: 'Outcome', width: '140px', sort: 'outcome', render: (call) => outcome(call.outcome, call.finalStatus, call.running)},
  {id: 'setUp', label: 'Set-up', width: '68px', sort: 'setUpMs', end: true, render: (call) => setUp(call.setUpMs)},
  {
    id: 'length',
    label: 'Length',
    width: '72px',
    sort: 'durationMs',
    end: true,
    render: (call) => (isCounted(call) ? html`<span class="muted elapsed">${elapsed(call)}</span>` : length(call.durationMs)),
  },
  {
    id: 'codec',
    label: 'Codec',
    width: '82px',
    sort: 'codec',
    render: (call) => html`${visible(call.codec)}${call.encrypted ? html` <span class="lock" title="SRTP">SRTP</span>` : nothing}`,
  },
  {id: 'mos', label: 'MOS', width: '70px', sort: 'worstMos', end: true, render: (call) => mosText(call.worstMos, call.worstMosScale)},
  {
    id: 'verdict',
    label: 'Why',
    width: 'minmax(200px, 3fr)',
    sort: 'verdict',
    render: (call) => html`<span class=${call.bad ? 'is-bad-text' : 'muted'} title=${visible(call.verdict)}>${call.bad
      ? html`<span class="mark" aria-hidden="true">✕</span><span class="sr">Bad: </span>`
      : nothing}${visible(call.verdict)}</span>`,
  },
  text('source', 'Source', 'minmax(130px, 1fr)'),
  text('destination', 'Destination', 'minmax(130px, 1fr)'),
  text('callId', 'Call-ID', 'minmax(140px, 1.5fr)'),
  text('fromUri', 'From URI', 'minmax(140px, 1fr)'),
  text('toUri', 'To URI', 'minmax(140px, 1fr)'),
  text('callerSoftware', 'Caller’s software', 'minmax(120px, 1fr)'),
  text('calleeSoftware', 'Callee’s software', 'minmax(120px, 1fr)'),
  text('hungUpBy', 'Hung up by', '84px'),
  text('transport', 'Transport', '76px'),
  {id: 'messages', label: 'Messages', width: '76px', sort: 'messages', end: true, render: (call) => count(call.messages)},
  {id: 'streams', label: 'Streams', width: '70px', sort: 'streams', end: true, render: (call) => count(call.streams)},
  text('origin', 'Origin', 'minmax(90px, 1fr)', (call) => originText(call.origin)),
];

const USUAL = ['time', 'from', 'to', 'outcome', 'setUp', 'length', 'codec', 'mos', 'verdict'];

/** The ids of the columns that are shown. */
export const chosenIds = () => setting('columns', USUAL);

/** The columns that are shown, in their fixed order. */
export function chosenColumns() {
  const ids = new Set(chosenIds());
  return COLUMNS.filter((column) => ids.has(column.id));
}

/** Shows or hides a column; the last one stays. */
export function toggleColumn(id) {
  const ids = new Set(chosenIds());
  if (!ids.delete(id)) {
    ids.add(id);
  }
  if (ids.size > 0) {
    keep('columns', COLUMNS.map((column) => column.id).filter((name) => ids.has(name)));
  }
}

/** Shows the usual columns again. */
export const usualColumns = () => keep('columns', null);

const isCounted = (call) => call.running && call.durationMs === null;

/** A call in two lines, for narrow screens. */
export function narrowCall(call) {
  return html`<div class="line"><span class="grow"><strong>${visible(call.from ?? call.fromUri)}</strong> → ${visible(call.to ?? call.toUri)}</span>
      <span>${mosText(call.worstMos, call.worstMosScale)}</span></div>
    <div class="line small"><span>${listTime(call.firstSeenAt, utc(), 0)}</span>${outcome(call.outcome, call.finalStatus, call.running)}<span
      class=${isCounted(call) ? 'elapsed' : ''}>${isCounted(call) ? elapsed(call) : length(call.durationMs)}</span><span class="grow ${call.bad ? 'is-bad-text' : 'muted'}">${call.bad ? html`<span class="mark" aria-hidden="true">✕</span>` : nothing}${visible(call.verdict)}</span></div>`;
}
