// The picture of the audio, as numbers: drawn by audio-view.js.

/**
 * @typedef {Object} Mark
 * @property {'caller'|'callee'} side
 * @property {'lost'|'late'|'silence'} kind
 * @property {number} fromMs
 * @property {number} untilMs
 */

/**
 * The columns of one channel, one a pixel: the extremes of the bins that it covers.
 * @param {{min: number[], max: number[]}} channel
 * @param {number} width pixels
 * @returns {{low: number, high: number}[]} -1 to 1
 */
export function columns(channel, width) {
  const bins = channel.max.length;
  return Array.from({length: bins === 0 ? 0 : width}, (_, x) => {
    const from = Math.floor((x * bins) / width);
    const until = Math.max(from + 1, Math.floor(((x + 1) * bins) / width));
    let [low, high] = [0, 0];
    for (let i = from; i < until; i++) {
      low = Math.min(low, channel.min[i]);
      high = Math.max(high, channel.max[i]);
    }
    return {low, high};
  });
}

/** The marks at a time, in words: "lost from caller". */
export function marksAt(marks, millis) {
  return marks.filter((mark) => mark.fromMs <= millis && millis < mark.untilMs).map((mark) => `${mark.kind === 'late' ? 'too late' : mark.kind} from ${mark.side}`);
}
