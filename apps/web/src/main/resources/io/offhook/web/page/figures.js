import {length} from './times.js';

// How figures are written: the same everywhere on the page. An absent figure is an empty text.

const absent = (value) => value === null || value === undefined || Number.isNaN(value);
const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});

const NO_BREAK = '\u00a0'; // a unit stays with its figure

/** A count with separators: "100,000". */
export const count = (value) => (absent(value) ? '' : whole.format(value));

/** A number with so many decimals at most, without trailing zeros. */
export function decimal(value, digits = 1) {
  return absent(value) ? '' : String(Number(Number(value).toFixed(digits)));
}

/** "3.6 %"; small shares keep a digit, so that 0.04 % is not 0 %. */
export function percent(value) {
  if (absent(value)) {
    return '';
  }
  const digits = value !== 0 && Math.abs(value) < 0.1 ? 2 : 1;
  return `${decimal(value, digits)}${NO_BREAK}%`;
}

/** "12 ms", "1.3 ms", "2.4 s". */
export function millis(value) {
  if (absent(value)) {
    return '';
  }
  if (Math.abs(value) >= 1000) {
    return `${decimal(value / 1000, 2)}${NO_BREAK}s`;
  }
  return `${decimal(value, Math.abs(value) < 10 ? 1 : 0)}${NO_BREAK}ms`;
}

/** Set-up time in seconds with two decimals, as in the list of the command. */
export const setUp = (value) => (absent(value) ? '' : `${(value / 1000).toFixed(2)}${NO_BREAK}s`);

/** Seconds as a length: ACD. */
export const seconds = (value) => (absent(value) ? '' : length(value * 1000));

/** "4.2 MB" in powers of 1000. */
export function bytes(value) {
  if (absent(value)) {
    return '';
  }
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let rest = value;
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  return `${decimal(rest, unit === 0 || rest >= 100 ? 0 : 1)} ${units[unit]}`;
}

const SCALES = {narrowband: 'nb', wideband: 'wb', fullband: 'fb'};

/** The short name of a MOS scale: nb, wb, fb. */
export const scale = (name) => SCALES[name] ?? '';

/** "4.2 nb"; "~4.2 fb" where its inputs are an estimate. */
export function mos(value, scaleName, estimate = false) {
  return absent(value) ? '' : `${estimate ? '~' : ''}${value.toFixed(1)} ${scale(scaleName)}`.trim();
}

/**
 * How good a MOS is. The limits are those of G.107, annex B, on each scale's own range.
 * @returns {'good'|'warn'|'bad'|''}
 */
export function mosGrade(value) {
  if (absent(value)) {
    return '';
  }
  if (value >= 4) {
    return 'good';
  }
  return value >= 3.6 ? 'warn' : 'bad';
}

/** Whether the inputs of a MOS make it an estimate: not of the ITU-T's own tables. */
export const isEstimate = (inputs) => Boolean(inputs) && !['itu', 'configured'].includes(inputs.basis);

/** "1 call", "2 calls". */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}
