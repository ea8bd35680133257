import {html, nothing} from 'lit';
import {mos, mosGrade, scale} from './figures.js';
import {visible} from './text.js';

// Words and marks for what a call was. Every colour has a mark or a word beside it.

/** Outcomes of calls, in the order in which a filter offers them. */
export const OUTCOMES = ['answered', 'ongoing', 'ringing', 'busy', 'declined', 'cancelled', 'unavailable', 'failed', 'redirected'];

const OUTCOME_MARKS = {
  answered: ['✓', 'good'],
  ongoing: ['●', 'good'],
  ringing: ['◌', 'warn'],
  busy: ['⊘', 'neutral'],
  declined: ['⊘', 'neutral'],
  cancelled: ['↶', 'neutral'],
  unavailable: ['∅', 'warn'],
  failed: ['✕', 'bad'],
  redirected: ['↷', 'neutral'],
  registered: ['✓', 'good'],
  removed: ['↶', 'neutral'],
  challenged: ['?', 'warn'],
  rejected: ['✕', 'bad'],
  unanswered: ['∅', 'warn'],
  expired: ['⌛', 'warn'],
};

/** Kinds of problems with their names for people. */
export const PROBLEMS = {
  failed: 'Failed',
  noResponse: 'No response',
  noFinalResponse: 'No final response',
  noAudio: 'No audio',
  oneWayAudio: 'One-way audio',
  audioStartedLate: 'Audio started late',
  audioGap: 'Gap in the audio',
  audioStopped: 'Audio stopped',
  loss: 'Loss',
  relayLoss: 'Loss in a relay',
  late: 'Too late to be played',
  lowMos: 'Low MOS',
  jitter: 'Jitter',
  slowSetUp: 'Slow set-up',
  noAck: 'No ACK',
  slowAck: 'Slow ACK',
  dropped: 'Dropped',
  mediaTimeout: 'Ended for lack of media',
  icmpError: 'ICMP error',
  retransmissions: 'Retransmissions',
  busy: 'Busy',
  declined: 'Declined',
  cancelled: 'Cancelled',
  noAnswer: 'No answer',
  unavailable: 'Unavailable',
  completedElsewhere: 'Completed elsewhere',
  oneDirection: 'One direction captured',
  captureLoss: 'Capture loss',
};

/**
 * The outcome as a mark and a word, with the status if it was not a plain success.
 * @param {boolean|null} running whether the call goes on: of one that does not and has no end, the end was missed
 */
export function outcome(name, status = null, running = null) {
  const [mark, tone] = OUTCOME_MARKS[name] ?? ['·', 'neutral'];
  const code = status !== null && status >= 300 ? ` ${status}` : '';
  return html`<span class="outcome ${tone}"><span class="mark" aria-hidden="true">${mark}</span>${visible(name)}${code}${running === false && (name === 'ongoing' || name === 'ringing') ? html` <span class="small muted" title="The end of this call was not captured">no end</span>` : ''}</span>`;
}

const MOS_MARKS = {good: '', warn: '▾', bad: '▼'};

/** A MOS with its scale; a mark shows that it is low. */
export function mosText(value, scaleName, estimate = false) {
  const grade = mosGrade(value);
  if (grade === '') {
    return nothing;
  }
  const words = {good: 'good', warn: 'some users dissatisfied', bad: 'many users dissatisfied'}[grade];
  const names = {nb: 'narrowband', wb: 'wideband', fb: 'fullband'};
  return html`<span class="mos ${grade}" title="${value.toFixed(2)} ${names[scale(scaleName)] ?? ''}: ${words}"><span
    aria-hidden="true">${MOS_MARKS[grade]}</span>${mos(value, scaleName, estimate)}</span>`;
}

const CLASS_MARKS = {service: ['✕', 'bad', 'service affected'], normal: ['○', 'neutral', 'normal'], note: ['i', 'note', 'note']};

/** The class of a problem as a mark with a word. */
export function problemClass(name) {
  const [mark, tone, word] = CLASS_MARKS[name] ?? ['·', 'neutral', name];
  return html`<span class="badge ${tone}"><span aria-hidden="true">${mark}</span> ${word}</span>`;
}
