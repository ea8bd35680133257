import {colours} from './colours.js';
import {barLeft, labelAt, LINE, ROW} from './ladder-layout.js';
import {visible} from './text.js';

const SVG = 'http://www.w3.org/2000/svg';
const COLUMN = 240;
const TIMES = 120;
const HEAD = 46;
const MARGIN = 8;
// Canvas has limits that browsers do not say; this much works in all of them.
const MOST_PIXELS = 32_000;

function element(parent, name, attributes, text = null) {
  const child = parent.ownerDocument.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    child.setAttribute(key, value);
  }
  if (text !== null) {
    child.textContent = text;
  }
  parent.append(child);
  return child;
}

/**
 * The ladder as an SVG document of its own: colours are attributes, so it looks the same anywhere.
 * @param {Object} layout of `ladder()`
 * @param {(index: number) => string} timeOf the time of a row
 * @returns {{text: string, width: number, height: number}}
 */
export function ladderImage(layout, timeOf) {
  const tones = colours('surface', 'text', 'muted', 'border', 'accent', 'good', 'warn', 'bad');
  const width = TIMES + layout.hosts.length * COLUMN + 2 * MARGIN;
  const height = HEAD + layout.height + 2 * MARGIN;
  const document_ = document.implementation.createDocument(SVG, 'svg');
  const root = document_.documentElement;
  for (const [key, value] of Object.entries({width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': 'system-ui, sans-serif', 'font-size': 12})) {
    root.setAttribute(key, value);
  }
  element(root, 'rect', {width, height, fill: tones.surface});
  const body = element(root, 'g', {transform: `translate(${TIMES + MARGIN} ${HEAD + MARGIN})`});
  layout.hosts.forEach((host, i) => {
    const x = (i + 0.5) * COLUMN;
    element(body, 'text', {x, y: -28, 'text-anchor': 'middle', 'font-weight': 600, fill: tones.text}, visible(host.key));
    element(body, 'text', {x, y: -12, 'text-anchor': 'middle', fill: tones.muted}, visible(host.software));
    element(body, 'line', {x1: x, x2: x, y1: 0, y2: layout.height, stroke: tones.border});
  });
  for (const bar of layout.bars) {
    for (const {from, until, grade} of bar.pieces) {
      element(body, 'rect', {x: barLeft(bar, COLUMN), y: from, width: grade === 'bad' ? 5 : 3, height: Math.max(1, until - from - 1), fill: tones[grade] ?? tones.muted});
    }
  }
  layout.rows.forEach((row, index) => drawRow(body, row, index, {time: timeOf(index), width: layout.hosts.length * COLUMN, tones}));
  return {text: new XMLSerializer().serializeToString(document_), width, height};
}

function drawRow(body, row, index, {time, width, tones}) {
  const y = index * ROW + LINE;
  const [x1, x2] = [(row.from + 0.5) * COLUMN, (row.to + 0.5) * COLUMN];
  const name = row.tone.split(' ').pop();
  const colour = {request: tones.accent, note: tones.muted, neutral: tones.muted, media: tones.muted}[name] ?? tones[name] ?? tones.muted;
  element(body, 'text', {x: -8, y: y + 4, 'text-anchor': 'end', fill: tones.muted}, time);
  if (row.kind === 'problem' || row.kind === 'hold' || x1 === x2) {
    const {x, anchor} = labelAt(x1, width);
    element(body, 'path', {d: `M${x1} ${y - 5}l5 5l-5 5l-5 -5z`, fill: colour});
    element(body, 'text', {x, y: y + 4, fill: colour, 'text-anchor': anchor}, visible(row.label));
    return;
  }
  const direction = Math.sign(x2 - x1);
  const dashes = row.kind === 'media' ? '2 4' : row.copy === 'first' ? 'none' : '6 4';
  element(body, 'path', {d: `M${x1} ${y}H${x2 - direction * 7}`, stroke: colour, 'stroke-dasharray': dashes, fill: 'none'});
  element(body, 'path', {d: `M${x2 - direction} ${y}l${-direction * 8} -4v8z`, fill: colour});
  element(body, 'text', {x: (x1 + x2) / 2, y: y - 5, 'text-anchor': 'middle', fill: tones.text}, visible(row.label));
}

/**
 * An SVG image as PNG, at twice its size where canvas allows that.
 * @returns {Promise<Blob>}
 */
export async function pngOf({text, width, height}) {
  const address = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = Math.min(2, MOST_PIXELS / height, MOST_PIXELS / width);
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(width * scale);
    canvas.height = Math.floor(height * scale);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('This ladder is too long for a PNG; save it as SVG.'))));
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
