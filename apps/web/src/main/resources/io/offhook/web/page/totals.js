import {html, nothing} from 'lit';
import {get} from './api.js';
import {PageElement} from './element.js';
import {count, decimal, mosGrade, percent, seconds} from './figures.js';
import {Pace} from './pace.js';
import {capture} from './route.js';
import {spark} from './spark.js';

const FIGURES = [
  {id: 'running', label: 'Running', title: 'Calls that are ringing or ongoing now', value: (t) => count(t.now?.running), of: (s) => s.running ?? 0},
  {id: 'rate', label: 'Calls/s', title: 'Calls begun a second, now', value: (t) => decimal(t.now?.callsPerSecond, 2), of: (s) => s.attempts ?? 0},
  {id: 'attempts', label: 'Attempts', title: 'Calls whose result is known', value: (t) => count(t.attempts), of: (s) => s.attempts ?? 0},
  {id: 'asr', label: 'ASR', title: 'Answer seizure ratio (E.425): answered of attempts', value: (t) => percent(t.asrPercent), of: (s) => s.asrPercent, range: [0, 100]},
  {id: 'ner', label: 'NER', title: 'Network effectiveness ratio (E.425): attempts that reached the callee’s terminal', value: (t) => percent(t.nerPercent), of: (s) => s.nerPercent, range: [0, 100]},
  {id: 'acd', label: 'ACD', title: 'Average call duration, from answer to end', value: (t) => seconds(t.acdSeconds), of: (s) => s.acdSeconds},
  {id: 'mos', label: 'Worst MOS', title: 'The lowest MOS of any stream', value: (t) => decimal(t.worstMos, 1), of: (s) => s.worstMos, range: [1, 4.5], tone: (t) => mosGrade(t.worstMos)},
  {id: 'bad', label: 'Bad', title: 'Calls with a problem that affected the service', value: (t) => count(t.bad), of: (s) => s.bad ?? 0, tone: (t) => (t.bad > 0 ? 'bad' : '')},
];

/** The totals of the calls in the list, each with its course over their time. */
export class Totals extends PageElement {
  static properties = {filters: {attribute: false}, totals: {state: true}};

  constructor() {
    super();
    this.filters = {};
    this.totals = null;
    this.pace = new Pace(1000, () => this.refresh());
  }

  /** Calls changed: the figures follow within a second. */
  news() {
    this.pace.ask();
  }

  willUpdate(changed) {
    const shown = JSON.stringify([this.filters, capture()]);
    if (changed.has('filters') && shown !== this.shown) {
      this.shown = shown;
      if (this.capture !== capture()) {
        this.capture = capture();
        this.totals = null;
      }
      this.refresh();
    }
  }

  /** Fetches the figures again; the last ones stay if that fails. */
  async refresh() {
    const shown = this.shown;
    try {
      const totals = await get('/totals', {...this.filters, buckets: 60});
      if (shown === this.shown) {
        this.totals = totals;
      }
    } catch {
      // The list beside reports why the server cannot be reached.
    }
  }

  render() {
    const totals = this.totals ?? {};
    const series = totals.series ?? [];
    return html`<dl class="totals" tabindex="0" aria-label="Totals">${FIGURES.map((figure) => html`<div class="total" id="total-${figure.id}" title=${figure.title}>
      <dt>${figure.label}</dt>
      <dd><span class="figure ${figure.tone?.(totals) ?? ''}">${figure.value(totals) || '–'}</span></dd>
      <dd class="plot">${series.length > 1 ? spark(series.map(figure.of), figure.range ?? null) : nothing}</dd></div>`)}</dl>`;
  }
}

customElements.define('offhook-totals', Totals);
