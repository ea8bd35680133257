/** Runs something often asked for, but never two at once and never sooner than `leastMs` after the last. */
export class Pace {
  /**
   * @param {number} leastMs
   * @param {() => Promise<void>} run
   */
  constructor(leastMs, run) {
    this.leastMs = leastMs;
    this.run = run;
    this.last = -Infinity;
    this.running = false;
    this.timer = null;
  }

  /** Runs at once if it may, or else once as soon as it may. */
  ask() {
    if (this.running) {
      this.again = true;
    } else if (this.timer === null) {
      this.timer = setTimeout(() => this.#go(), Math.max(0, this.last + this.leastMs - performance.now()));
    }
  }

  async #go() {
    this.timer = null;
    this.running = true;
    this.again = false;
    try {
      await this.run();
    } finally {
      this.running = false;
      this.last = performance.now();
      if (this.again) {
        this.ask();
      }
    }
  }
}
