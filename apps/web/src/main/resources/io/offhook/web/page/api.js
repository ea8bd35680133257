import {capture} from './route.js';

/** The server's refusal, in its own words. */
export class ApiError extends Error {
  /** @param {number} status HTTP status; 0 if the server was not reached */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * The address of a resource under /api/v1, of the data that the page shows.
 * @param {string} path such as "/calls"
 * @param {Object<string, *>} params null, undefined and empty ones are left out
 */
export function url(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({...params, in: params.in ?? capture()})) {
    if (value !== null && value !== undefined && value !== '') {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
}

async function refusal(response) {
  let text = '';
  try {
    text = (await response.json()).error ?? '';
  } catch {
    // Not JSON: something other than Offhook answered.
  }
  return new ApiError(response.status, text || `The server answered ${response.status} ${response.statusText}.`.trim());
}

async function request(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    throw new ApiError(0, 'The server cannot be reached. Is offhook serve still running?');
  }
  if (!response.ok) {
    throw await refusal(response);
  }
  return response;
}

/** Gets JSON. */
export async function get(path, params = {}, signal = undefined) {
  return (await request(url(path, params), {signal, headers: {Accept: 'application/json'}})).json();
}

/** Gets a file whole. */
export async function getBlob(path) {
  return (await request(url(path))).blob();
}

/** Deletes a resource. */
export async function remove(path) {
  await request(`/api/v1${path}`, {method: 'DELETE', headers: {'X-Offhook': '1'}});
}

/**
 * Sends keys for the view of a call; the answer names the view.
 * @param {string} call its id
 * @param {Blob} keys lines of a key log and of SRTP keys
 * @returns {Promise<{in: string}>}
 */
export async function addKeys(call, keys) {
  const address = url(`/calls/${encodeURIComponent(call)}/keys`);
  return (await request(address, {method: 'POST', body: keys, headers: {'X-Offhook': '1', 'Content-Type': 'application/octet-stream'}})).json();
}

/**
 * Sends a capture, with progress, which fetch cannot report.
 * @param {File} file
 * @param {(percent: number) => void} onProgress
 * @returns {Promise<{id: string, name: string}>}
 */
export function upload(file, onProgress) {
  return new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest();
    sender.open('POST', `/api/v1/uploads?name=${encodeURIComponent(file.name)}`);
    sender.setRequestHeader('X-Offhook', '1');
    sender.upload.onprogress = (event) => onProgress(event.lengthComputable ? (100 * event.loaded) / event.total : 0);
    sender.onerror = () => reject(new ApiError(0, 'The upload was cut off: the server closed the connection.'));
    sender.onload = () => {
      let answer = {};
      try {
        answer = JSON.parse(sender.responseText);
      } catch {
        // Reported by its status below.
      }
      if (sender.status === 202) {
        resolve(answer);
      } else {
        reject(new ApiError(sender.status, answer.error ?? `The server answered ${sender.status}.`));
      }
    };
    sender.send(file);
  });
}

/**
 * Listens to changes until the returned function is called. The browser connects again by itself.
 * @param {(change: {revision: number, running: number, drops: number, reading: boolean}) => void} onChange
 * @param {(connected: boolean) => void} onState
 */
export function changes(onChange, onState) {
  const source = new EventSource(url('/events'));
  source.addEventListener('change', (event) => {
    onState(true);
    try {
      onChange(JSON.parse(event.data));
    } catch {
      // A line that was cut off: the next one has all of it.
    }
  });
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
  return () => source.close();
}

/**
 * Saves the packets of calls in one capture. They are fetched first, because a link could not say why it failed.
 * @param {string[]} ids of the calls
 */
export async function savePackets(ids) {
  const response = await request(url('/packets', {calls: ids.join(',')}));
  const named = /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '');
  saveBlob(await response.blob(), named?.[1] ?? 'calls.pcapng');
}

function download(address, name = '') {
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

/** Saves data that the page made. */
export function saveBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
