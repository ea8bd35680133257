import {html} from 'lit';
import {plural} from './figures.js';
import {visible} from './text.js';

// What an empty list of calls says: whether calls may still come, or why there are none.

const nameOf = (input) => visible(input.name.slice(input.name.lastIndexOf('/') + 1));

/**
 * Why there is no call.
 * @param {{inputs: Object[], notes: string[]}|null} system as the API has it; null if it is not known
 */
export function emptyCalls(system) {
  const inputs = system?.inputs ?? [];
  const failed = inputs.filter((input) => input.state === 'failed');
  const notes = html`${failed.map((input) => html`<span role="alert">${visible(input.message)}</span>`)}${(system?.notes ?? []).map((note) => html`<span>${visible(note)}</span>`)}`;
  if (inputs.some((input) => input.state === 'reading')) {
    return html`<strong>Reading ${inputs.filter((input) => input.state === 'reading').map(nameOf).join(', ')}…</strong><span>Calls appear here when it is read.</span>`;
  }
  if (inputs.some((input) => input.state === 'listening')) {
    return html`<strong>No calls yet.</strong><span>Calls appear here as soon as their first message is captured. A capture file can be opened, or dropped on this page, meanwhile.</span>${notes}`;
  }
  if (inputs.length > 0 && failed.length === inputs.length) {
    return html`<strong>${inputs.length === 1 ? 'The capture' : plural(inputs.length, 'capture')} could not be read.</strong>${notes}`;
  }
  if (inputs.length > 0) {
    return html`<strong>No calls in ${inputs.length > 3 ? plural(inputs.length, 'capture') : inputs.map(nameOf).join(', ')}.</strong>${notes}`;
  }
  return html`<strong>No calls in this database.</strong><span>Open a capture file, or drop it on this page, to analyse it.</span>`;
}
