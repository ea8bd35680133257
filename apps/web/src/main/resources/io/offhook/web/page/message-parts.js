import {explainHeader, explainParameter, explainSdp, explainStart, headerName} from './headers.js';
import {visible} from './text.js';

/**
 * @typedef {Object} Part a line of a message with what it means
 * @property {string} text the line, visible
 * @property {'start'|'header'|'body'|'blank'} kind
 * @property {import('./headers.js').Explanation|null} meaning
 * @property {{name: string, meaning: import('./headers.js').Explanation}[]} parameters
 */

/**
 * Divides a message into lines with explanations. Nothing is repaired: what cannot be understood is
 * a line without an explanation.
 * @param {string} text the message as captured
 * @returns {Part[]}
 */
export function parts(text) {
  const lines = String(text).split(/\r\n|\n|\r/);
  const blank = lines.indexOf('');
  const end = blank < 0 ? lines.length : blank;
  const type = lines.slice(1, end).find((line) => /^(content-type|c)\s*:/i.test(line)) ?? '';
  const result = [part(lines[0] ?? '', 'start', explainStart(lines[0] ?? ''))];
  let header = '';
  for (const line of lines.slice(1, end)) {
    const match = /^([^\s:]+)\s*:/.exec(line);
    header = match ? match[1] : header;
    const parameters = header ? parametersOf(header, line) : [];
    result.push(part(line, 'header', match ? explainHeader(header) : null, parameters));
  }
  if (blank >= 0) {
    const body = lines.slice(blank + 1);
    if (body.some((line) => line !== '')) {
      result.push(part('', 'blank', null));
      const sdp = /sdp/i.test(type) || /^v=0/.test(body[0]) || /multipart/i.test(type);
      const last = body.at(-1) === '' ? body.slice(0, -1) : body;
      result.push(...last.map((line) => part(line, 'body', sdp ? explainSdp(line) : null)));
    }
  }
  return result;
}

const part = (line, kind, meaning, parameters = []) => ({text: visible(line), kind, meaning, parameters});

/** The parameters of a header's line that the table explains, each once. */
export function parametersOf(header, line) {
  const found = new Map();
  const digest = /authenticat|authorization/.test(headerName(header));
  const pattern = digest ? /(?:^|[\s,])([a-z]+)\s*=/gi : /;\s*([^\s;=,>?"]+)/g;
  for (const [, name] of line.matchAll(pattern)) {
    const meaning = explainParameter(header, name);
    if (meaning && !found.has(name)) {
      found.set(name, {name, meaning});
    }
  }
  return [...found.values()];
}

/** The body of a message that is SDP, or the part of it that is; null if there is none. */
export function sdpOf(text) {
  const match = /(?:\r?\n\r?\n)(v=0[\s\S]*)/.exec(text ?? '');
  return match ? match[1].split(/\r?\n--/)[0] : null;
}
