import {html} from 'lit';
import {PageElement} from './element.js';
import {decimal, millis, percent} from './figures.js';
import {visible} from './text.js';
import {length, millisBetween} from './times.js';

/** What each report has, of one side: heading, field, form. */
const FIGURES = [
  ['MOS-LQ', 'mosLq', decimal], ['MOS-CQ', 'mosCq', decimal], ['R', 'rLq', decimal], ['Lost', 'lossPercent', percent],
  ['Discarded', 'discardPercent', percent], ['Jitter', 'jitterMs', millis], ['Highest', 'maxJitterMs', millis],
  ['Round trip', 'roundTripMs', millis], ['End system', 'endSystemMs', millis],
];

/** Quality reports of phones (RFC 6035): what they measured themselves, never part of Offhook's figures. */
export class QualityReports extends PageElement {
  static properties = {reports: {attribute: false}, start: {attribute: false}};

  #row(report, side) {
    const figures = report[side];
    return html`<tr><td>${length(Math.max(0, millisBetween(this.start, report.at)))}</td><td class="mono">${visible(report.source)}</td><td>${visible(report.kind)}</td>
      <td>${side === 'local' ? 'what it received' : 'what the other side received'}</td>${FIGURES.map(([, field, form]) => html`<td class="end">${form(figures[field]) || '–'}</td>`)}</tr>`;
  }

  render() {
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Table of quality reports"><table id="quality-reports"><thead><tr><th scope="col">At</th>
      <th scope="col">Phone</th><th scope="col">Kind</th><th scope="col">About</th>${FIGURES.map(([heading]) => html`<th scope="col" class="end">${heading}</th>`)}</tr></thead>
      <tbody>${this.reports.flatMap((report) => [this.#row(report, 'local'), ...(report.remote ? [this.#row(report, 'remote')] : [])])}</tbody></table></div>`;
  }
}

customElements.define('offhook-quality-reports', QualityReports);
