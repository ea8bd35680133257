import {html} from 'lit';
import {PageElement} from './element.js';

const KEYS = [
  ['Lists', [['↑ ↓', 'Previous, next row'], ['Page Up, Page Down', 'A page up, down'], ['Home, End', 'First, last row'],
    ['Enter', 'Open the call or registration'], ['Space', 'Select several calls'], ['F2', 'Save the packets of the selected calls'],
    ['< >', 'Sort by the column before, behind'], ['Z', 'The other way round'], ['F3 or /', 'Search'], ['F7', 'Filters'], ['Esc', 'Back to the list']]],
  ['A call', [['↑ ↓', 'Previous, next message'], ['Enter', 'Show the message'], ['T', 'Absolute, relative or delta times'],
    ['F2', 'Save the packets'], ['Esc', 'Back to the calls']]],
  ['Audio', [['Space', 'Play, pause'], ['← →', 'A second back, on'], ['Shift ← →', 'Five seconds back, on'], ['Home, End', 'Beginning, end']]],
  ['Everywhere', [['? or F1', 'This help']]],
];

/** The keys, as a dialog. */
export class Help extends PageElement {
  get dialog() {
    return this.querySelector('dialog');
  }

  get open() {
    return this.dialog?.open ?? false;
  }

  /** Shows or closes the help. */
  toggle() {
    if (this.open) {
      this.dialog.close();
    } else {
      this.dialog.showModal();
    }
  }

  render() {
    return html`<dialog id="help-dialog" aria-labelledby="help-title" @click=${(event) => event.target === this.dialog && this.dialog.close()}>
      <div class="help"><h2 id="help-title">Keys</h2>
      <div class="help-groups">${KEYS.map(([title, keys]) => html`<section><h3>${title}</h3><dl>${keys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl></section>`)}</div>
      <p>MOS is an estimate by the E-model (nb: G.107, wb: G.107.1, fb: G.107.2) with loss and jitter buffer; ~ marks values whose codec has no figures of the ITU-T. ASR and NER are those of E.425.</p>
      <button type="button" @click=${() => this.dialog.close()}>Close</button></div></dialog>`;
  }
}

customElements.define('offhook-help', Help);
