// What comes from the network is data. Lit's bindings keep it from being markup; this keeps it from
// acting as text: controls are shown as symbols, and marks that reorder or hide text as their names.

const HIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function symbol(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) {
    return String.fromCharCode(0x2400 + code);
  }
  if (code === 0x7f) {
    return '\u2421';
  }
  if (code >= 0xd800 && code <= 0xdfff) {
    return '\ufffd';
  }
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/**
 * Text as it can be shown: one line, without characters that are invisible or change the direction.
 * @param {string|number|null|undefined} text
 * @returns {string} empty if absent
 */
export function visible(text) {
  return text === null || text === undefined ? '' : String(text).replace(HIDDEN, symbol);
}

/** A message of the server as a sentence that stands alone: a capital at the front, a full stop at the end. */
export function sentence(text) {
  const words = visible(text).trim();
  return words === '' ? '' : words[0].toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? '' : '.');
}

/** Splits a message into lines and makes each visible; the ends of lines themselves are not shown. */
export function visibleLines(text) {
  return String(text ?? '').split(/\r\n|\n|\r/).map(visible);
}

/** An endpoint without its port: "192.0.2.1" of "192.0.2.1:5060", "2001:db8::1" of "[2001:db8::1]:5060". */
export function addressOf(endpoint) {
  if (!endpoint) {
    return '';
  }
  const bracket = /^\[(.*)\](?::\d+)?$/.exec(endpoint);
  if (bracket) {
    return bracket[1];
  }
  const colon = endpoint.lastIndexOf(':');
  return colon < 0 || endpoint.indexOf(':') !== colon ? endpoint : endpoint.slice(0, colon);
}
