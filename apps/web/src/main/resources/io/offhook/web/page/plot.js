import {Chart, LinearScale, LineController, LineElement, PointElement, Tooltip, Legend, BarController, BarElement, CategoryScale} from 'chart.js';
import {PageElement} from './element.js';
import {colours} from './colours.js';
import {onSetting} from './settings.js';
import {html} from 'lit';

Chart.register(LinearScale, LineController, LineElement, PointElement, Tooltip, Legend, BarController, BarElement, CategoryScale);
Chart.defaults.animation = false;
Chart.defaults.font.family = 'system-ui, sans-serif';
Chart.defaults.font.size = 11;

/** Dashes, so that lines differ by more than their colours. */
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

/**
 * @typedef {Object} Series
 * @property {string} label
 * @property {{x: number, y: number|null}[]|number[]} data
 * @property {string} colour a name of the design system
 * @property {string} [axis] y or y1
 */

/** A plot by Chart.js, drawn when it comes into view and again when the theme changes. */
export class Plot extends PageElement {
  static properties = {series: {attribute: false}, options: {attribute: false}, labels: {attribute: false}, kind: {}, label: {}};

  constructor() {
    super();
    this.kind = 'line';
    this.options = {};
    this.labels = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.stop = onSetting((name) => name === 'theme' && this.#draw());
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.onDark = () => this.#draw();
    this.dark.addEventListener('change', this.onDark);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
    this.dark.removeEventListener('change', this.onDark);
    this.seen?.disconnect();
    this.chart?.destroy();
    this.chart = null;
  }

  updated() {
    if (this.chart) {
      this.#draw();
      return;
    }
    this.seen?.disconnect();
    this.seen = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        this.seen.disconnect();
        this.#draw();
      }
    });
    this.seen.observe(this);
  }

  #draw() {
    const canvas = this.querySelector('canvas');
    if (!canvas || !this.isConnected) {
      return;
    }
    const tones = colours('text', 'muted', 'border', 'surface', ...new Set(this.series.map((one) => one.colour)));
    this.chart?.destroy();
    this.chart = new Chart(canvas, {
      type: this.kind,
      data: {
        labels: this.labels ?? undefined,
        datasets: this.series.map((one, i) => ({
          label: one.label, data: one.data, yAxisID: one.axis ?? 'y', borderColor: tones[one.colour], backgroundColor: tones[one.colour],
          borderWidth: this.kind === 'bar' ? 0 : 1.6, borderDash: DASHES[i % DASHES.length], pointRadius: 2, pointHitRadius: 12, spanGaps: false, clip: 6,
        })),
      },
      options: this.#options(tones),
    });
  }

  #options(tones) {
    const axis = (options) => ({
      ...options, grid: {color: tones.border, ...options?.grid}, border: {color: tones.border},
      ticks: {color: tones.muted, maxTicksLimit: 6, ...options?.ticks}, title: {color: tones.muted, ...options?.title},
    });
    return {
      responsive: true,
      maintainAspectRatio: false,
      interaction: {mode: 'index', intersect: false},
      plugins: {
        legend: {display: this.series.length > 1, align: 'start', labels: {color: tones.text, boxWidth: 22, boxHeight: 1, padding: 8}},
        tooltip: {backgroundColor: tones.surface, titleColor: tones.text, bodyColor: tones.text, borderColor: tones.muted, borderWidth: 1, ...this.options.tooltip},
      },
      scales: Object.fromEntries(Object.entries(this.options.scales ?? {x: {}, y: {}}).map(([name, options]) => [name, axis(options)])),
    };
  }

  render() {
    return html`<div class="chart"><canvas role="img" aria-label=${this.label ?? ''}></canvas></div>`;
  }
}

customElements.define('offhook-plot', Plot);
