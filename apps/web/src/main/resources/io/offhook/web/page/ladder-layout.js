import {isEstimate, millis, mos, mosGrade, percent} from './figures.js';
import {sdpOf} from './message-parts.js';
import {readSdp} from './sdp.js';
import {addressOf} from './text.js';
import {compareTimes, millisBetween} from './times.js';

// From messages and streams to places on the ladder, without any drawing: rows of one height, one
// column a host, and media as bars between rows.

/** Pixels of a row. */
export const ROW = 30;
/** Where in its row an arrow is, in pixels from the top. */
export const LINE = 20;
const LANE = 8;

/**
 * @typedef {Object} Host a column
 * @property {string} key an address, or an endpoint where one address talks to itself
 * @property {string|null} software what it says that it is
 * @typedef {Object} Row
 * @property {'message'|'media'|'rtcp'|'key'|'hold'|'icmp'|'problem'} kind
 * @property {string} time
 * @property {number} from column
 * @property {number} to column
 * @property {string} label
 * @property {string} tone request, good, neutral, warn, bad, media, note
 * @property {string} copy first, retransmission, mirrored
 * @property {Object} item the message, stream or problem
 * @typedef {Object} Bar
 * @property {number} host column of the sender
 * @property {1|-1} side towards the receiver
 * @property {number} lane 0 is next to the column
 * @property {{from: number, until: number, grade: string}[]} pieces pixels from the top
 */

/** The columns, in the order in which their hosts appear. */
export class Hosts {
  /**
   * @param {Object[]} messages of the call, by time
   * @param {Object[]} streams of the call
   */
  constructor(messages, streams) {
    this.list = [];
    this.places = new Map();
    this.owners = new Map();
    this.split = new Set(
      [...messages, ...streams].filter((m) => addressOf(m.source) === addressOf(m.destination)).map((m) => addressOf(m.source)),
    );
    const seen = new Set();
    for (const message of messages) {
      const source = this.list[this.column(message.source)];
      this.column(message.destination);
      const what = `${message.callId} ${message.cseqNumber} ${message.cseqMethod} ${message.method ?? message.statusCode}`;
      if (!seen.has(what)) { // a proxy passes on what others say that they are
        source.software ??= message.userAgent ?? null;
      }
      seen.add(what);
      if (this.split.size > 0) {
        this.#own(message);
      }
    }
  }

  /** Media of an address that is several columns belong to the one whose SDP names them. */
  #own(message) {
    const sdp = sdpOf(message.text);
    for (const {address, port} of sdp ? readSdp(sdp).media : []) {
      this.owners.set(address?.includes(':') ? `[${address}]:${port}` : `${address}:${port}`, message.source);
    }
  }

  /** The column of an endpoint; a new one if it has none yet. */
  column(endpoint) {
    const address = addressOf(endpoint);
    const owner = this.owners.get(endpoint);
    const key = !this.split.has(address) ? address : !owner || this.split.has(addressOf(owner)) ? (owner ?? endpoint) : addressOf(owner);
    if (!this.places.has(key)) {
      this.places.set(key, this.list.length);
      this.list.push({key, software: null});
    }
    return this.places.get(key);
  }
}

function toneOf(message) {
  if (message.method) {
    return 'request';
  }
  const status = message.statusCode;
  if (status < 200) {
    return 'neutral';
  }
  if (status < 300) {
    return 'good';
  }
  return status < 400 || status === 401 || status === 407 ? 'warn' : 'bad';
}

/** What the arrow of a message says. */
export function messageLabel(message, leg = '') {
  const what = message.method ?? `${message.statusCode} ${message.reasonPhrase ?? ''}`.trim();
  const sdp = /sdp/i.test(message.contentType ?? '') ? ' · SDP' : '';
  const copy = {retransmission: ' · again', mirrored: ' · copy'}[message.copy] ?? '';
  return `${leg ? `${leg}: ` : ''}${what}${sdp}${copy}`;
}

/** The MOS of a stream as it was played, or else of the network alone. */
export function streamMos(stream) {
  const played = stream.playout?.mos !== null && stream.playout?.mos !== undefined;
  const from = played ? stream.playout : stream;
  return {value: from.mos ?? null, scale: from.mosScale ?? null, inputs: from.mosInputs ?? null};
}

function streamLabel(stream) {
  const {value, scale, inputs} = streamMos(stream);
  const quality = value === null ? '' : ` · MOS ${mos(value, scale, isEstimate(inputs))}`;
  const lost = stream.lost > 0 ? ` · ${stream.lost} lost` : '';
  return `${stream.encrypted ? 'SRTP' : 'RTP'} ${stream.codec ?? '?'}${quality}${lost}`;
}

/** Letters of the legs by Call-ID; empty if there is only one. */
export function legLetters(call) {
  const dialogs = call.dialogs ?? [];
  return new Map(dialogs.length > 1 ? dialogs.map((dialog, i) => [dialog.callId, i < 26 ? String.fromCharCode(65 + i) : String(i + 1)]) : []);
}

function rowsOf(call, messages, hosts, shown) {
  const legs = legLetters(call);
  const side = (name) => {
    const sent = call.streams.filter((stream) => stream.direction === `from ${name}`);
    return sent.find((stream) => !isPassedOn(call, stream)) ?? sent[0];
  };
  const ends = (name) => {
    const stream = side(name);
    const leg = call.legs[0];
    const pair = stream ? [stream.source, stream.destination] : leg ? [leg.source, leg.destination] : [];
    const columns = pair.map((endpoint) => hosts.column(endpoint));
    return stream || name !== 'callee' ? columns : columns.reverse();
  };
  const rows = messages.map((message) => ({
    kind: 'message', time: message.time, from: hosts.column(message.source), to: hosts.column(message.destination),
    label: messageLabel(message, legs.get(message.callId)), tone: toneOf(message), copy: message.copy, item: message,
  }));
  const add = (kind, time, [from, to], label, tone, item) => time !== null && from !== undefined
    && rows.push({kind, time, from, to: to ?? from, label, tone, copy: 'first', item});
  for (const stream of shown.media ? call.streams : []) {
    const columns = [hosts.column(stream.source), hosts.column(stream.destination)];
    add('media', stream.firstAt, columns, streamLabel(stream), `media ${mosGrade(streamMos(stream).value)}`, stream);
  }
  for (const stream of shown.rtcp ? call.streams.filter((one) => !isRelayed(call, one)) : []) {
    const columns = [hosts.column(stream.destination), hosts.column(stream.source)];
    for (const interval of (stream.intervals ?? []).filter((one) => one.farEnd)) {
      add('rtcp', interval.at, columns, rtcpLabel(interval.farEnd), 'note', stream);
    }
  }
  for (const key of shown.keys ? call.keys : []) {
    add('key', key.at, ends(key.side), `key ${key.key} (${key.means})`, 'note', key);
  }
  for (const hold of shown.problems ? call.holds : []) {
    add('hold', hold.fromAt, ends(hold.by), `hold by ${hold.by}`, 'note', hold);
    add('hold', hold.untilAt, ends(hold.by), 'hold ends', 'note', hold);
  }
  for (const error of shown.problems ? call.icmpErrors : []) {
    add('icmp', error.at, [hosts.column(error.reporter), hosts.column(error.source)], `ICMP ${error.meaning}`, 'bad', error);
  }
  for (const problem of shown.problems ? call.problems : []) {
    add('problem', problem.at, ends(problem.side ?? 'caller'), problem.text, problem.class === 'service' ? 'bad' : 'note', problem);
  }
  return rows.map((row, order) => ({row, order})).sort((a, b) => compareTimes(a.row.time, b.row.time) || a.order - b.order).map(({row}) => row);
}

/** Whether the stream comes out of a relay: its sender is not a party of the call. */
const isPassedOn = (call, stream) => call.passages.some(({to}) => to.ssrc === stream.ssrc && to.source === stream.source && to.destination === stream.destination);

/** Whether the stream goes on behind its receiver: reports about it come from farther away then. */
const isRelayed = (call, stream) => call.passages.some(({from, level}) => level === 'exact'
  && from.ssrc === stream.ssrc && from.source === stream.source && from.destination === stream.destination);

function rtcpLabel(farEnd) {
  const parts = [
    farEnd.lostPercent !== null ? `lost ${percent(farEnd.lostPercent)}` : '',
    farEnd.jitterMs !== null ? `jitter ${millis(farEnd.jitterMs)}` : '',
  ].filter(Boolean);
  return `RTCP ${parts.join(', ') || 'report'}`;
}

/**
 * Where on the ladder a time is, in pixels: rows are not to scale, so between two rows it is a share.
 * @param {Row[]} rows by time
 * @param {string} time
 */
export function heightAt(rows, time) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareTimes(rows[middle].time, time) <= 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low === 0) {
    return LINE;
  }
  const top = (low - 1) * ROW + LINE;
  if (low === rows.length) {
    return top + ROW / 2;
  }
  const whole = millisBetween(rows[low - 1].time, rows[low].time);
  return top + (whole > 0 ? (ROW * millisBetween(rows[low - 1].time, time)) / whole : 0);
}

function barsOf(streams, rows, hosts) {
  const bars = streams.map((stream) => {
    const host = hosts.column(stream.source);
    const intervals = stream.intervals?.length > 0 ? stream.intervals : null;
    const from = heightAt(rows, stream.firstAt);
    const until = Math.max(heightAt(rows, stream.lastAt), from + 4);
    const ends = (intervals ?? []).map((one, i) => (i + 1 < intervals.length ? heightAt(rows, intervals[i + 1].at) : until));
    const pieces = intervals
      ? intervals.map((one, i) => ({from: heightAt(rows, one.at), until: ends[i], grade: mosGrade(one.mos)}))
      : [{from, until, grade: mosGrade(streamMos(stream).value)}];
    return {stream, host, side: hosts.column(stream.destination) < host ? -1 : 1, lane: 0, from, until, pieces};
  });
  for (const [i, bar] of bars.entries()) {
    const taken = new Set(bars.slice(0, i)
      .filter((other) => other.host === bar.host && other.side === bar.side && other.from <= bar.until && bar.from <= other.until)
      .map((other) => other.lane));
    while (taken.has(bar.lane)) {
      bar.lane++;
    }
  }
  return bars;
}

/**
 * The ladder of a call.
 * @param {Object} call as the API has it
 * @param {Object[]} messages of all legs, by time
 * @param {{media: boolean, rtcp: boolean, keys: boolean, problems: boolean}} shown
 * @returns {{hosts: Host[], rows: Row[], bars: Bar[], height: number}}
 */
export function ladder(call, messages, shown) {
  const hosts = new Hosts(messages, call.streams);
  const rows = rowsOf(call, messages, hosts, shown);
  const bars = shown.media ? barsOf(call.streams, rows, hosts) : [];
  return {hosts: hosts.list, rows, bars, height: rows.length * ROW + 12};
}

/** The pixel of a bar's left edge. */
export const barLeft = (bar, column) => (bar.host + 0.5) * column + bar.side * (4 + bar.lane * LANE) - (bar.side < 0 ? 5 : 0);

/**
 * Where the words beside a mark are: towards the middle of the ladder, where there is room.
 * @param {number} x pixel of the mark
 * @param {number} width of the ladder
 */
export const labelAt = (x, width) => (x > width / 2 ? {x: x - 15, anchor: 'end'} : {x: x + 15, anchor: 'start'});

/**
 * The time of a row as it is shown.
 * @param {Row[]} rows
 * @param {number} index
 * @param {'relative'|'delta'} mode since the first row, or since the row before
 * @returns {number} milliseconds
 */
export function rowTime(rows, index, mode) {
  return millisBetween(rows[mode === 'delta' ? Math.max(0, index - 1) : 0].time, rows[index].time);
}
