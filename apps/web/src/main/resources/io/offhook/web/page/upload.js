import {html, nothing} from 'lit';
import {get, remove, upload} from './api.js';
import {PageElement} from './element.js';
import {bytes, plural} from './figures.js';
import {isKeyed} from './keyed.js';
import {capture, go, link} from './route.js';
import {visible} from './text.js';

const POLL_MS = 700;

/** Captures dropped on the page, and the banner that says which one is shown. */
export class Upload extends PageElement {
  static properties = {mostBytes: {attribute: false}, over: {state: true}, running: {state: true}, shown: {state: true}, error: {state: true}};

  constructor() {
    super();
    this.over = false;
    this.running = null;
    this.shown = null;
    this.error = '';
    this.mostBytes = null;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('dragover', (event) => this.#onDrag(event));
    addEventListener('dragleave', (event) => event.relatedTarget === null && (this.over = false));
    addEventListener('drop', (event) => this.#onDrop(event));
    addEventListener('offhook-route', () => this.#check());
    addEventListener('popstate', () => this.#check());
    this.#check();
  }

  #onDrag(event) {
    if ([...event.dataTransfer.types].includes('Files')) {
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      this.over = true;
    }
  }

  #onDrop(event) {
    if (![...event.dataTransfer.types].includes('Files')) {
      return;
    }
    event.preventDefault();
    this.over = false;
    const files = [...event.dataTransfer.files];
    if (files.length !== 1) {
      this.error = 'Drop one capture at a time; offhook merge joins several.';
      return;
    }
    this.send(files[0]);
  }

  /** Asks for a file, as dropping one needs a mouse. */
  choose() {
    this.querySelector('#upload-file').click();
  }

  #onChosen(event) {
    const [file] = event.target.files;
    event.target.value = ''; // the same one can be chosen again
    if (file) {
      this.send(file);
    }
  }

  /** Sends a capture and shows its calls once they are read. */
  async send(file) {
    this.error = '';
    if (this.mostBytes !== null && file.size > this.mostBytes) {
      this.error = `${visible(file.name)} has ${bytes(file.size)}; this server accepts ${bytes(this.mostBytes)}. Give it to offhook serve as a file instead.`;
      return;
    }
    this.running = {name: file.name, stage: 'Sending', percent: 0};
    try {
      const {id} = await upload(file, (percent) => (this.running = {name: file.name, stage: 'Sending', percent}));
      await this.#read(id, file.name);
    } catch (error) {
      const named = error.message.startsWith(file.name);
      this.error = visible(named ? error.message : `${file.name} could not be read: ${error.message}`);
    }
    this.running = null;
  }

  async #read(id, name) {
    for (;;) {
      const entry = (await get('/uploads', {in: ''})).uploads.find((one) => one.id === id);
      if (!entry || entry.state === 'failed') {
        throw new Error(entry?.message ?? 'the server no longer has it');
      }
      if (entry.state === 'ready') {
        go(link('/', {in: id}));
        return;
      }
      this.running = {name, stage: 'Reading', percent: entry.percent ?? 0};
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #check() {
    const id = capture();
    if (!id || isKeyed(id)) {
      this.shown = null;
      return;
    }
    if (this.shown?.id === id) {
      return;
    }
    this.shown = {id, name: id};
    try {
      const entry = (await get('/uploads', {in: ''})).uploads.find((one) => one.id === id);
      this.shown = entry ?? {id, name: id, gone: true};
    } catch {
      // The view itself reports that the server cannot be reached.
    }
  }

  async #close() {
    try {
      await remove(`/uploads/${encodeURIComponent(this.shown.id)}`);
    } catch {
      // It is gone already.
    }
    go(link('/', {in: ''}));
  }

  render() {
    return html`<input type="file" id="upload-file" hidden aria-label="Capture to analyse" @change=${(event) => this.#onChosen(event)}>
      ${this.over ? html`<div class="drop-target" role="status"><strong>Drop the capture to analyse it</strong><span>pcap, pcapng or snoop, plain or in gzip or zstd; shown apart from the server’s own calls</span></div>` : nothing}
      ${this.running ? html`<div id="upload-progress" class="banner" role="status"><span>${this.running.stage} <strong>${visible(this.running.name)}</strong></span>
        <progress max="100" .value=${this.running.percent} aria-label="${this.running.stage} ${visible(this.running.name)}"></progress> ${Math.floor(this.running.percent)} %</div>` : nothing}
      ${this.error ? html`<div id="upload-error" class="banner bad" role="alert"><span>${this.error}</span><button type="button" @click=${() => (this.error = '')}>Close</button></div>` : nothing}
      ${this.shown ? html`<section id="upload-banner" class="banner" aria-label="Uploaded capture"><span>${this.shown.gone
        ? html`The uploaded capture ${visible(this.shown.id)} is no longer on the server.`
        : html`Uploaded capture <strong>${visible(this.shown.name)}</strong>${this.shown.calls !== undefined ? html`, ${plural(this.shown.calls, 'call')}` : nothing}: apart from the server’s own calls`}</span>
        <span class="push"></span><a id="upload-back" href=${link('/', {in: ''})}>Back to the server’s calls</a>
        <button type="button" id="upload-remove" @click=${() => this.#close()}>Remove</button></section>` : nothing}`;
  }
}

customElements.define('offhook-upload', Upload);
