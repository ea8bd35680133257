// What a user chose, kept in this browser: theme, zone, columns. Storage may be forbidden or full;
// then choices last as long as the page.

const memory = new Map();
const listeners = new Set();

/**
 * A setting.
 * @param {string} name
 * @param {*} fallback if nothing was chosen, or what is stored cannot be read
 */
export function setting(name, fallback) {
  if (memory.has(name)) {
    return memory.get(name);
  }
  try {
    const text = localStorage.getItem(`offhook.${name}`);
    return text === null ? fallback : name === 'theme' ? text : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keeps a setting (null: forgets it) and notifies all who listen. */
export function keep(name, value) {
  memory.set(name, value);
  try {
    if (value === null) {
      memory.delete(name);
      localStorage.removeItem(`offhook.${name}`);
    } else {
      localStorage.setItem(`offhook.${name}`, name === 'theme' ? value : JSON.stringify(value));
    }
  } catch {
    // Kept in memory.
  }
  listeners.forEach((listener) => listener(name));
}

/** Calls the listener with the name of each setting that changes, until the returned function is called. */
export function onSetting(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether times are shown in UTC. */
export const utc = () => setting('utc', false);
