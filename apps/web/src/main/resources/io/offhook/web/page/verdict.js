import {isEstimate, millis, mos, plural} from './figures.js';
import {streamMos} from './ladder-layout.js';
import {length, millisBetween} from './times.js';

const OUTCOME_WORDS = {
  busy: 'The callee was busy', declined: 'The callee declined', cancelled: 'The caller gave up', unavailable: 'The callee was not available',
  failed: 'The call failed', redirected: 'The call was redirected', ringing: 'The call has no final response',
};

/**
 * What became of a call, in a sentence or three.
 * @param {Object} call as the API has it
 * @returns {{how: string, bad: boolean, why: string}} `why` is empty if nothing was wrong
 */
export function verdict(call) {
  const parts = [];
  if (call.outcome === 'answered' || call.outcome === 'ongoing') {
    const wait = millisBetween(call.invitedAt, call.answeredAt);
    parts.push(`Answered${wait !== null ? ` after ${millis(wait)}` : ''}`);
    if (call.durationMs !== null) {
      parts.push(`${length(call.durationMs)} long${call.durationApproximate ? ' (approximately: the answer was not captured)' : ''}`);
    }
    parts.push(call.outcome === 'ongoing' ? (call.running ? 'still going on' : 'its end was not captured') : call.hungUpBy ? `hung up by the ${call.hungUpBy}` : '');
  } else {
    parts.push(`${OUTCOME_WORDS[call.outcome] ?? call.outcome}${call.finalStatus ? ` (${call.finalStatus})` : ''}`);
  }
  const service = call.problems.filter((problem) => problem.class === 'service');
  // the outcome is in the words already
  const plain = new Set([call.outcome, `${call.outcome} (${call.finalStatus})`]);
  const others = call.problems.filter((problem) => problem.class === 'normal' && !plain.has(problem.text));
  return {
    how: `${parts.filter(Boolean).join(', ')}.`,
    bad: service.length > 0,
    why: [...service, ...others].map((problem) => problem.text).join('; '),
  };
}

/** The lowest MOS of the streams of a call on one scale, worst first: what the head of the page shows. */
export function worstMos(call) {
  const known = call.streams.map(streamMos).filter((one) => one.value !== null);
  const narrow = known.filter((one) => one.scale === 'narrowband');
  const worst = (narrow.length > 0 ? narrow : known).sort((a, b) => a.value - b.value)[0];
  return worst ? {...worst, text: mos(worst.value, worst.scale, isEstimate(worst.inputs))} : null;
}

/**
 * The names of the files or interfaces that a call came from, without their folders.
 * @param {string|null} origin as the API has it, with commas between
 */
export function originText(origin) {
  const names = (origin ?? '').split(', ').filter(Boolean).map((name) => name.slice(name.lastIndexOf('/') + 1));
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/** "2 streams, 1 leg" */
export function shape(call) {
  return `${plural(call.streams.length, 'stream')}, ${plural(Math.max(1, call.legs.length), 'leg')}, ${plural(call.messages, 'message')}`;
}
