import {html, nothing} from 'lit';
import {addKeys, get, remove} from './api.js';
import {PageElement} from './element.js';
import {bytes} from './figures.js';
import {isKeyed} from './keyed.js';
import {go, link} from './route.js';
import {sentence, visible} from './text.js';

const POLL_MS = 400;
const MOST_BYTES = 4 << 20;

/** Keys that a user adds for the view of one call; in that view, what they open and how to forget them. */
export class KeysView extends PageElement {
  static properties = {call: {attribute: false}, source: {attribute: false}, open: {state: true}, busy: {state: true}, error: {state: true}, view: {state: true}};

  constructor() {
    super();
    this.open = false;
    this.busy = false;
    this.error = '';
    this.view = null;
  }

  willUpdate(changed) {
    if (changed.has('source') || changed.has('call')) {
      this.view = null;
      if (isKeyed(this.source)) {
        this.#find();
      }
    }
  }

  /** Opens the form, or closes it. */
  async toggle() {
    this.open = !this.open;
    this.error = '';
    await this.updateComplete;
    this.querySelector('textarea')?.focus();
  }

  async #find() {
    try {
      this.view = (await get('/keys', {in: ''})).views.find((one) => one.in === this.source) ?? null;
    } catch {
      // The call itself reports that the server cannot be reached.
    }
  }

  async #send(event) {
    event.preventDefault();
    const text = this.querySelector('textarea');
    const file = this.querySelector('input[type="file"]');
    const keys = new Blob([text.value, '\n', ...file.files]);
    this.error = '';
    if (text.value.trim() === '' && file.files.length === 0) {
      this.error = 'Paste keys, or choose a file with them.';
      return;
    }
    if (keys.size > MOST_BYTES) {
      this.error = `These keys have ${bytes(keys.size)}; ${bytes(MOST_BYTES)} are taken. Give only the lines of this call’s sessions.`;
      return;
    }
    this.busy = true;
    try {
      const view = await this.#read((await addKeys(this.call.id, keys)).in);
      text.value = '';
      file.value = '';
      this.open = false;
      go(link(`/calls/${encodeURIComponent(view.call)}`, {in: view.in}));
    } catch (error) {
      this.error = error.message;
    }
    this.busy = false;
  }

  async #read(id) {
    for (;;) {
      const view = (await get('/keys', {in: ''})).views.find((one) => one.in === id);
      if (!view || view.state === 'failed') {
        throw new Error(view?.message ?? 'the server no longer has the keys');
      }
      if (view.state === 'ready') {
        return view;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #forget() {
    try {
      await remove(`/keys/${encodeURIComponent(this.source)}`);
    } catch {
      // They are gone already.
    }
    this.#back();
  }

  #back() {
    go(this.view ? link(`/calls/${encodeURIComponent(this.view.ofCall)}`, {in: this.view.ofIn ?? ''}) : link('/', {in: ''}));
  }

  #onKey(event) {
    if (event.key === 'Escape') {
      event.preventDefault();
      this.toggle();
    }
  }

  render() {
    if (isKeyed(this.source)) {
      return this.view ? this.#opened(this.view) : nothing;
    }
    return this.open ? html`<form id="keys-form" class="card wide keys" aria-labelledby="keys-title" @submit=${(event) => this.#send(event)} @keydown=${(event) => this.#onKey(event)}>
      <h2 id="keys-title">Decrypt this call</h2>
      <p class="muted">Lines of a key log (SSLKEYLOGFILE), or of SRTP keys such as <code>any AES_CM_128_HMAC_SHA1_80 inline:…</code>. They open a view of this call for this browser only, and are forgotten ten minutes after it was last looked at.</p>
      <label>Keys<textarea id="keys-text" rows="5" autocomplete="off" spellcheck="false" ?disabled=${this.busy}></textarea></label>
      <label>Or a file with them <input type="file" id="keys-file" ?disabled=${this.busy}></label>
      ${this.error ? html`<p id="keys-error" class="is-bad-text" role="alert"><span class="mark" aria-hidden="true">✕</span>${sentence(this.error)}</p>` : nothing}
      <p class="keys-bar"><button type="submit" id="keys-send" ?disabled=${this.busy}>${this.busy ? 'Decrypting…' : 'Decrypt'}</button>
        <button type="button" class="plain" @click=${() => this.toggle()}>Cancel</button></p></form>` : nothing;
  }

  #opened(view) {
    return html`<section id="keys-banner" class="card wide keys" aria-labelledby="keys-title"><h2 id="keys-title">${view.opened ? 'Decrypted with your keys, in this browser only' : 'Your keys open nothing of this call'}</h2>
      ${(view.notes ?? []).length > 0 ? html`<ul id="keys-notes" class="plain-list">${view.notes.map((note) => html`<li>${visible(note)}</li>`)}</ul>` : html`<p class="muted">Nothing of this call is encrypted.</p>`}
      <p class="keys-bar"><button type="button" id="keys-back" @click=${() => this.#back()}>Back to the call without keys</button>
        <button type="button" id="keys-forget" @click=${() => this.#forget()}>Forget the keys</button></p></section>`;
  }
}

customElements.define('offhook-keys-view', KeysView);
