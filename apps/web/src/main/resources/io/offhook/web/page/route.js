// The address of the page says what it shows: a link that is copied shows the same again.

const VIEWS = new Set(['streams', 'registrations', 'statistics', 'system']);

/** @typedef {{view: string, id: string|null, params: URLSearchParams}} Route */

/**
 * What an address shows.
 * @param {{pathname: string, search: string}} address
 * @returns {Route} view is `calls`, `call`, `streams`, `registrations`, `registration`, `statistics`, `system` or `unknown`
 */
export function route(address) {
  const params = new URLSearchParams(address.search);
  const parts = address.pathname.split('/').filter(Boolean);
  if (parts.length === 0 || (parts.length === 1 && parts[0] === 'calls')) {
    return {view: 'calls', id: null, params};
  }
  if (parts.length === 2 && parts[0] === 'calls') {
    return {view: 'call', id: decode(parts[1]), params};
  }
  if (parts.length === 2 && parts[0] === 'registrations') {
    return {view: 'registration', id: decode(parts[1]), params};
  }
  if (parts.length === 1 && VIEWS.has(parts[0])) {
    return {view: parts[0], id: null, params};
  }
  return {view: 'unknown', id: null, params};
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The uploaded capture that the page shows, or null for the server's own data. */
export const capture = () => new URLSearchParams(location.search).get('in');

/** A link to a page of the same data: `in` goes along. */
export function link(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') {
      query.set(name, value);
    }
  }
  const id = 'in' in params ? null : capture();
  if (id) {
    query.set('in', id);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Goes to a page; `replace` leaves no entry in the history. */
export function go(target, replace = false) {
  history[replace ? 'replaceState' : 'pushState']({depth: (history.state?.depth ?? 0) + (replace ? 0 : 1)}, '', target);
  dispatchEvent(new Event('offhook-route'));
}

/**
 * Goes back to the page before, or to a list if this one was opened by its link.
 * @param {string} list its path
 */
export function back(list = '/') {
  if ((history.state?.depth ?? 0) > 0) {
    history.back();
  } else {
    go(link(list));
  }
}
