import {svg} from 'lit';

/**
 * The points of a small plot.
 * @param {(number|null)[]} values null where there is nothing: the line has a gap there
 * @param {number} width pixels
 * @param {number} height pixels
 * @param {[number, number]|null} range the lowest and highest value; null: 0 to the highest
 * @returns {string[]} paths of SVG, one for each piece without a gap
 */
export function sparkPaths(values, width, height, range = null) {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (known.length === 0) {
    return [];
  }
  const low = range ? range[0] : 0;
  const high = Math.max(range ? range[1] : Math.max(...known), low + 1e-9);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const y = (value) => (height - 1 - ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (height - 2)).toFixed(1);
  const paths = [];
  let piece = [];
  values.forEach((value, i) => {
    if (value !== null && value !== undefined) {
      piece.push(`${(i * step).toFixed(1)} ${y(value)}`);
    }
    if (piece.length > 0 && (value === null || value === undefined || i === values.length - 1)) {
      paths.push(piece.length === 1 ? `M${piece[0]}h1.5` : `M${piece.join('L')}`);
      piece = [];
    }
  });
  return paths;
}

/** A small plot without axes; what it says is in the figure beside it. */
export function spark(values, range = null) {
  return svg`<svg class="spark" viewBox="0 0 100 22" preserveAspectRatio="none" aria-hidden="true">
    ${sparkPaths(values, 100, 22, range).map((path) => svg`<path d=${path} vector-effect="non-scaling-stroke"></path>`)}</svg>`;
}
