// Times of the API are text: seconds since 1970 with nine decimals. As a 64-bit float such a number
// loses what is below 200 ns, so seconds and nanoseconds stay apart here.

/** @typedef {{seconds: number, nanos: number}} Instant seconds since 1970 UTC, and 0 to 999,999,999 ns */

/**
 * Splits a time of the API.
 * @param {string|null|undefined} text such as "1795263580.887726000"
 * @returns {Instant|null} null if absent or not a time
 */
export function instant(text) {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,9})\d*)?$/.exec(text ?? '');
  if (!match) {
    return null;
  }
  const seconds = Number(match[2]);
  const nanos = Number((match[3] ?? '').padEnd(9, '0'));
  if (!match[1]) {
    return {seconds, nanos};
  }
  return nanos === 0 ? {seconds: -seconds, nanos: 0} : {seconds: -seconds - 1, nanos: 1e9 - nanos};
}

/**
 * Milliseconds from one time to another, exact to the nanosecond up to 104 days.
 * @param {string|null} from
 * @param {string|null} until
 * @returns {number|null} negative if `until` is earlier; null if one is absent
 */
export function millisBetween(from, until) {
  const a = instant(from);
  const b = instant(until);
  return a && b ? ((b.seconds - a.seconds) * 1e9 + b.nanos - a.nanos) / 1e6 : null;
}

/** Orders two times; absent ones come last. */
export function compareTimes(a, b) {
  const difference = millisBetween(a, b);
  if (difference !== null) {
    return -Math.sign(difference);
  }
  return (instant(a) ? 0 : 1) - (instant(b) ? 0 : 1);
}

/** The time as a Date, to the millisecond; null if absent. */
export function date(text) {
  const time = instant(text);
  return time ? new Date(time.seconds * 1000 + Math.floor(time.nanos / 1e6)) : null;
}

const two = (number) => String(number).padStart(2, '0');

/**
 * The time of day.
 * @param {string|null} text
 * @param {boolean} utc UTC, or else the browser's zone
 * @param {number} decimals 0 to 9 digits of the second
 * @returns {string} such as "12:19:40.887"; empty if absent
 */
export function clock(text, utc, decimals = 3) {
  const time = instant(text);
  if (!time) {
    return '';
  }
  const day = new Date(time.seconds * 1000);
  const [hours, minutes, seconds] = utc
    ? [day.getUTCHours(), day.getUTCMinutes(), day.getUTCSeconds()]
    : [day.getHours(), day.getMinutes(), day.getSeconds()];
  const fraction = decimals > 0 ? '.' + String(time.nanos).padStart(9, '0').slice(0, decimals) : '';
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${fraction}`;
}

/** The day, as "2026-11-21"; empty if absent. */
export function day(text, utc) {
  const value = date(text);
  if (!value || Number.isNaN(value.getTime())) {
    return '';
  }
  return utc
    ? `${value.getUTCFullYear()}-${two(value.getUTCMonth() + 1)}-${two(value.getUTCDate())}`
    : `${value.getFullYear()}-${two(value.getMonth() + 1)}-${two(value.getDate())}`;
}

/**
 * The time for lists: as long as it has to be. Of today the time of day, of this year month and day
 * before it, of other years the whole day and no fraction.
 * @param {string|null} text
 * @param {boolean} utc
 * @param {number} decimals
 * @param {string} now today, as "2026-11-21"
 */
export function listTime(text, utc, decimals = 3, now = day(String(Math.floor(Date.now() / 1000)), utc)) {
  const shown = day(text, utc);
  if (shown === now) {
    return clock(text, utc, decimals);
  }
  const sameYear = shown.slice(0, 5) === now.slice(0, 5);
  return `${sameYear ? shown.slice(5) : shown} ${clock(text, utc, sameYear ? decimals : 0)}`.trim();
}

/** The difference in minutes between local time and UTC, as "UTC+01:00", at that time. */
export function zone(text, utc) {
  if (utc) {
    return 'UTC';
  }
  const offset = -(date(text) ?? new Date()).getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  return `UTC${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}

/** Seconds with milliseconds and a sign, as "+0.204" or "12.310": for relative and delta times. */
export function offset(millis, sign = '') {
  if (millis === null || millis === undefined) {
    return '';
  }
  const prefix = millis < 0 ? '-' : sign;
  return prefix + (Math.abs(millis) / 1000).toFixed(3);
}

/** A length as the field writes it: "0:08", "12:31", "1:02:03"; empty if absent. */
export function length(millis) {
  if (millis === null || millis === undefined) {
    return '';
  }
  const seconds = Math.floor(millis / 1000);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${rest}` : rest.replace(/^0/, '');
}
