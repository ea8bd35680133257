import {sdpOf} from './message-parts.js';

// Offer and answer (RFC 3264), as the messages of a call have them.

/** Encoding names of static payload types (RFC 3551, section 6). */
const STATIC = {0: 'PCMU/8000', 3: 'GSM/8000', 4: 'G723/8000', 5: 'DVI4/8000', 7: 'LPC/8000', 8: 'PCMA/8000', 9: 'G722/8000', 13: 'CN/8000', 15: 'G728/8000', 18: 'G729/8000', 26: 'JPEG/90000', 31: 'H261/90000', 34: 'H263/90000'};

/**
 * @typedef {Object} Medium
 * @property {string} type
 * @property {number} port 0: refused
 * @property {string} protocol
 * @property {string|null} address
 * @property {string} direction sendrecv if the SDP does not state one
 * @property {{type: string, name: string, parameters: string|null}[]} payloads
 * @property {string|null} ptime
 * @property {string[]} security how its keys are agreed
 * @property {string[]} attributes all a= lines, without "a="
 */

/**
 * Reads SDP. Lines that are damaged are skipped.
 * @param {string} text
 * @returns {{origin: string|null, media: Medium[]}}
 */
export function readSdp(text) {
  const session = {origin: null, address: null, attributes: []};
  const media = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [kind, value] = [line[0], line.slice(2)];
    const current = media.at(-1) ?? session;
    if (line[1] !== '=') {
      continue;
    }
    if (kind === 'o') {
      session.origin = value;
    } else if (kind === 'c') {
      current.address = value.split(/\s+/)[2] ?? null;
    } else if (kind === 'm') {
      const [type, port, protocol, ...formats] = value.trim().split(/\s+/);
      media.push({type, port: Number.parseInt(port, 10) || 0, protocol: protocol ?? '', formats, address: null, attributes: []});
    } else if (kind === 'a') {
      current.attributes.push(value);
    }
  }
  return {origin: session.origin, media: media.map((medium) => finish(medium, session))};
}

function finish(medium, session) {
  const valued = (name) => medium.attributes.filter((a) => a.startsWith(`${name}:`)).map((a) => a.slice(name.length + 1));
  const all = [...medium.attributes, ...session.attributes];
  const named = (name, type) => valued(name).find((value) => value.split(/\s+/)[0] === type)?.split(/\s+/).slice(1).join(' ') ?? null;
  return {
    type: medium.type,
    port: medium.port,
    protocol: medium.protocol,
    address: medium.address ?? session.address,
    direction: all.find((a) => ['sendrecv', 'sendonly', 'recvonly', 'inactive'].includes(a)) ?? 'sendrecv',
    payloads: medium.formats.map((type) => ({type, name: named('rtpmap', type) ?? STATIC[type] ?? type, parameters: named('fmtp', type)})),
    ptime: valued('ptime')[0] ?? null,
    security: [
      ...valued('crypto').map((value) => `SDES ${value.split(/\s+/)[1] ?? ''}`),
      ...all.filter((a) => a.startsWith('fingerprint:')).map((a) => `DTLS ${a.slice(12).split(' ')[0]}`),
    ],
    attributes: medium.attributes,
  };
}

/**
 * What two descriptions of a medium agree on.
 * @param {Medium} offer
 * @param {Medium|undefined} answer
 * @returns {{refused: boolean, codecs: string[], security: string, flow: string}}
 */
export function agreement(offer, answer) {
  if (!answer || answer.port === 0) {
    return {refused: true, codecs: [], security: '', flow: ''};
  }
  const key = (payload) => payload.name.toLowerCase().replace(/\/1$/, '');
  const offered = new Set(offer.payloads.map(key));
  const common = answer.payloads.filter((payload) => offered.has(key(payload)));
  const sends = (a, b) => ['sendrecv', 'sendonly'].includes(a) && ['sendrecv', 'recvonly'].includes(b);
  const out = sends(offer.direction, answer.direction);
  const back = sends(answer.direction, offer.direction);
  const secure = answer.security.find((one) => offer.security.includes(one)) ?? (answer.security.length > 0 && offer.security.length > 0 ? answer.security[0] : '');
  return {
    refused: false,
    codecs: common.map((payload) => payload.name),
    security: secure || (/SAVP/.test(answer.protocol) ? 'SRTP' : 'not encrypted'),
    flow: out && back ? 'both ways' : out ? 'from the offerer only' : back ? 'to the offerer only' : 'none',
  };
}

/**
 * The transaction that a message belongs to, at one hop: who asked is part of it, as both sides count their requests for
 * themselves. ACK belongs to its INVITE, and so does PRACK, which may answer an offer in a response.
 * @param {Object} message
 * @param {boolean} isOfInvite whether PRACK does; one that makes an offer itself is a transaction of its own
 */
function transactionOf(message, isOfInvite = true) {
  const hop = [message.source, message.destination].sort().join(' ');
  const requester = message.method ? message.source : message.destination;
  const rack = isOfInvite && message.method === 'PRACK' ? /^rack\s*:\s*\d+\s+(\d+)\s+(\S+)/im.exec(message.text ?? '') : null;
  const [number, method] = rack ? [rack[1], rack[2]] : [message.cseqNumber, message.cseqMethod === 'ACK' ? 'INVITE' : message.cseqMethod];
  return `${hop} ${requester} ${message.callId} ${number} ${method}`;
}

/**
 * The offers of a call and their answers, by time. A response without an offer before it in the same
 * transaction makes an offer itself, which ACK or PRACK answers.
 * @param {Object[]} messages by time
 * @returns {{offer: Object, answer: Object|null}[]}
 */
export function exchanges(messages) {
  const open = new Map();
  const result = [];
  for (const message of messages) {
    const sdp = message.copy === 'first' ? sdpOf(message.text) : null;
    if (!sdp) {
      continue;
    }
    const exchange = open.get(transactionOf(message));
    if (!exchange || (message.method === 'PRACK' && exchange.answer)) {
      const begun = {offer: message, answer: null};
      open.set(transactionOf(message, false), begun);
      result.push(begun);
    } else if (exchange.offer.source !== message.source) {
      exchange.answer = message;
    }
  }
  return result;
}
