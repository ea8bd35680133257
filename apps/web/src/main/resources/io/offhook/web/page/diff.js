/** @typedef {{kind: 'same'|'gone'|'new', text: string}} Line */

const MOST_CELLS = 4_000_000;

/**
 * What changed from one list of lines to another, by their longest common subsequence.
 * @param {string[]} before
 * @param {string[]} after
 * @returns {Line[]} lines that are gone come before those that are new in their place
 */
export function difference(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) {
    head++;
  }
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail++;
  }
  const same = (text) => ({kind: 'same', text});
  return [
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

function middle(before, after) {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > MOST_CELLS) {
    return [...before.map((text) => ({kind: 'gone', text})), ...after.map((text) => ({kind: 'new', text}))];
  }
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j]
        ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[i] === after[j]) {
      lines.push({kind: 'same', text: before[i]});
      i++;
      j++;
    } else if (i < rows && (j === columns || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      lines.push({kind: 'gone', text: before[i++]});
    } else {
      lines.push({kind: 'new', text: after[j++]});
    }
  }
  return lines;
}

/**
 * The message before of the same kind: the same method or status of the same method, the same way.
 * @param {Object[]} messages by time
 * @param {Object} message one of them
 * @returns {Object|null}
 */
export function previousOfKind(messages, message) {
  const kind = (one) => `${one.source} ${one.destination} ${one.method ?? one.statusCode} ${one.cseqMethod} ${one.callId}`;
  const looser = (one) => `${one.method ?? one.statusCode} ${one.cseqMethod}`;
  const earlier = messages.slice(0, messages.indexOf(message)).filter((one) => one.text);
  return earlier.findLast((one) => kind(one) === kind(message)) ?? earlier.findLast((one) => looser(one) === looser(message)) ?? null;
}
