import {millisBetween} from './times.js';

// The figures of a stream as series over time, without any drawing.

/**
 * Points of the intervals of a stream.
 * @param {Object} stream as the API has it
 * @param {string} start the time at which the plot's axis is 0
 * @param {(interval: Object) => number|null|undefined} of
 * @returns {{x: number, y: number|null}[]} x in seconds, at the middle of the interval
 */
export function points(stream, start, of) {
  return (stream.intervals ?? []).map((interval) => ({
    x: (millisBetween(start, interval.at) + interval.durationMs / 2) / 1000,
    y: of(interval) ?? null,
  }));
}

/**
 * The loss strip: where in a stream packets were lost or came too late.
 * @param {Object} stream
 * @returns {{from: number, until: number, lost: number, discarded: number, percent: number, grade: ''|'good'|'warn'|'bad'}[]}
 *     shares of the stream's time, 0 to 1; grade is empty where nothing was expected
 */
export function lossStrip(stream) {
  const whole = Math.max(1e-6, millisBetween(stream.firstAt, stream.lastAt));
  return (stream.intervals ?? []).map((interval) => {
    const from = millisBetween(stream.firstAt, interval.at) / whole;
    const bad = interval.lossPercent >= 3 ? 'bad' : interval.lossPercent > 0 ? 'warn' : 'good';
    return {
      from: Math.min(1, Math.max(0, from)),
      until: Math.min(1, from + interval.durationMs / whole),
      lost: interval.lost,
      discarded: interval.discarded,
      percent: interval.lossPercent,
      grade: interval.expected > 0 ? bad : '',
    };
  });
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400];

/**
 * The distance of the marks on an axis of time: about five, at whole steps.
 * @param {number} seconds that the axis covers
 * @returns {number} seconds
 */
export const timeStep = (seconds) => STEPS.find((step) => step * 6 >= seconds) ?? STEPS.at(-1);

/** Whether the receiver reported anything by RTCP that a plot can show. */
export const hasFarEnd = (stream) => (stream.intervals ?? []).some((interval) => interval.farEnd);
