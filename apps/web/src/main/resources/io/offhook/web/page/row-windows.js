/** Rows that are fetched at once. */
export const WINDOW = 200;
const MOST_WINDOWS = 50;

/**
 * The rows of a long list, fetched by windows when they come into view. Windows that were made stale
 * by a change stay readable until their successors are there, so that a live list never flickers.
 */
export class RowWindows {
  /**
   * @param {(offset: number, limit: number, signal: AbortSignal) => Promise<{total: number, rows: Object[]}>} load
   * @param {() => void} onRows called when rows arrived
   * @param {(error: Error) => void} onError
   */
  constructor(load, onRows, onError) {
    this.load = load;
    this.onRows = onRows;
    this.onError = onError;
    this.windows = new Map();
    this.running = new Map();
    this.generation = 0;
    /** Rows of the whole list; null until the first answer. */
    this.total = null;
  }

  /** The row, or null if it is not there (yet). */
  row(index) {
    return this.windows.get(Math.floor(index / WINDOW))?.rows[index % WINDOW] ?? null;
  }

  /** The index of a row among those that are there, or -1. */
  indexOf(key, keyOf) {
    for (const [number, window] of this.windows) {
      const place = window.rows.findIndex((row) => keyOf(row) === key);
      if (place >= 0 && window.generation === this.generation) {
        return number * WINDOW + place;
      }
    }
    return -1;
  }

  /** Fetches what lacks of the rows from `from` to `until` (exclusive), and drops other requests. */
  async need(from, until) {
    const first = Math.floor(Math.max(0, from) / WINDOW);
    const last = Math.floor(Math.max(0, until - 1) / WINDOW);
    for (const [number, request] of this.running) {
      if (number < first || number > last) {
        request.abort();
        this.running.delete(number);
      }
    }
    const fetches = [];
    for (let number = first; number <= last; number++) {
      if (this.windows.get(number)?.generation !== this.generation && !this.running.has(number)) {
        fetches.push(this.#fetch(number));
      }
    }
    await Promise.all(fetches);
  }

  async #fetch(number) {
    const request = new AbortController();
    const generation = this.generation;
    this.running.set(number, request);
    try {
      const {total, rows} = await this.load(number * WINDOW, WINDOW, request.signal);
      if (request.signal.aborted) {
        return;
      }
      this.total = total;
      this.windows.delete(number);
      this.windows.set(number, {rows, generation});
      this.#evict();
      this.onRows();
    } catch (error) {
      if (error.name !== 'AbortError' && !request.signal.aborted) {
        this.onError(error);
      }
    } finally {
      if (this.running.get(number) === request) {
        this.running.delete(number);
      }
    }
  }

  #evict() {
    for (const number of this.windows.keys()) {
      if (this.windows.size <= MOST_WINDOWS) {
        return;
      }
      this.windows.delete(number);
    }
  }

  /** Marks all rows as out of date; they are fetched again when needed. */
  stale() {
    this.generation++;
    this.#abort();
  }

  /** Forgets all rows: another list begins. */
  clear() {
    this.#abort();
    this.generation++;
    this.windows.clear();
    this.total = null;
  }

  #abort() {
    this.running.forEach((request) => request.abort());
    this.running.clear();
  }
}
