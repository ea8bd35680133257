import {html, nothing} from 'lit';
import {get, getBlob, url} from './api.js';
import {colours} from './colours.js';
import {PageElement} from './element.js';
import {onSetting} from './settings.js';
import {sentence, visible} from './text.js';
import {length, millisBetween} from './times.js';
import {columns, marksAt} from './waveform.js';

const HEIGHT = 132;
// How often the audio of a call that goes on is made again.
const AGAIN_MS = 5000;
const BINS = 2000;
const KINDS = {lost: ['lost', 'bad'], late: ['too late', 'warn'], unreadable: ['unreadable', 'accent'], silence: ['silence', 'muted']};

/** The audio of a call as the far end heard it: caller above, callee below, on one time axis. */
export class AudioView extends PageElement {
  static properties = {call: {attribute: false}, waveform: {state: true}, error: {state: true}, playing: {state: true}, loading: {state: true}, at: {state: true}};

  constructor() {
    super();
    this.waveform = null;
    this.error = null;
    this.playing = false;
    this.loading = false;
    this.source = null;
    this.at = 0;
  }

  get path() {
    return `/calls/${encodeURIComponent(this.call.id)}`;
  }

  get player() {
    return this.querySelector('audio');
  }

  get durationMs() {
    return this.waveform?.durationMs ?? 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.stop = onSetting((name) => name === 'theme' && this.#draw());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
    this.resized?.disconnect();
    this.#forget();
  }

  willUpdate(changed) {
    if (!changed.has('call')) {
      return;
    }
    if (this.call.id !== this.shown) {
      this.shown = this.call.id;
      this.waveform = null;
      this.at = 0;
      this.#forget();
      this.#load();
    } else if (this.#hasGoneOn(changed.get('call')) && !this.playing && (!this.call.running || performance.now() - this.loadedAt > AGAIN_MS)) {
      this.#load(); // it has gone on meanwhile
    }
  }

  /** Whether the call went on since that was read. */
  #hasGoneOn(before) {
    return before?.running || (Boolean(before) && before.durationMs !== this.call.durationMs);
  }

  async #load() {
    const id = this.call.id;
    this.loadedAt = performance.now();
    try {
      const waveform = this.call.audioMissing ? null : await get(`${this.path}/waveform`, {bins: BINS});
      const missing = waveform ? (waveform.channels.length === 0 ? waveform.notes.join('; ') : null) : this.call.audioMissing;
      if (id === this.call.id && missing) {
        this.waveform = null;
        this.error = new Error(missing);
      } else if (id === this.call.id) {
        this.waveform = waveform;
        this.error = null;
        this.#forget(); // what it has is shorter by now
      }
    } catch (error) {
      this.error = error;
    }
  }

  updated() {
    const canvas = this.querySelector('canvas');
    if (canvas && !this.resized) {
      this.resized = new ResizeObserver(() => this.#draw());
      this.resized.observe(canvas);
    }
    this.#draw();
  }

  #draw() {
    const canvas = this.querySelector('canvas');
    if (!canvas || canvas.clientWidth === 0) {
      return;
    }
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    canvas.width = width * ratio;
    canvas.height = HEIGHT * ratio;
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    const tones = colours('caller', 'callee', 'bad', 'warn', 'accent', 'muted', 'border', 'text');
    const half = HEIGHT / 2;
    this.waveform.channels.forEach((channel, i) => {
      const middle = half * (i + 0.5);
      this.#marks(context, channel.side, i * half, half, width, tones);
      context.fillStyle = tones.border;
      context.fillRect(0, middle, width, 1);
      context.fillStyle = tones[channel.side];
      columns(channel, width).forEach(({low, high}, x) => context.fillRect(x, middle - high * (half / 2 - 3), 1, Math.max(1, (high - low) * (half / 2 - 3))));
    });
    context.fillStyle = tones.text;
    context.fillRect((this.at / Math.max(1, this.durationMs)) * width, 0, 1.5, HEIGHT);
  }

  /** Marks have a colour and a place of their own: lost on top, late and unreadable below it, silence at the foot. */
  #marks(context, side, top, height, width, tones) {
    const place = {lost: 0, late: 6, unreadable: 12, silence: height - 6};
    for (const mark of this.waveform.marks.filter((one) => one.side === side)) {
      const x = (mark.fromMs / this.durationMs) * width;
      const wide = Math.max(2, ((mark.untilMs - mark.fromMs) / this.durationMs) * width);
      context.fillStyle = tones[KINDS[mark.kind]?.[1] ?? 'muted'];
      context.fillRect(x, top + (place[mark.kind] ?? 0), wide, 5);
      context.globalAlpha = 0.14;
      context.fillRect(x, top, wide, height);
      context.globalAlpha = 1;
    }
  }

  #seek(millis) {
    this.at = Math.min(Math.max(0, millis), this.durationMs);
    if (this.source) {
      this.player.currentTime = this.at / 1000;
    }
  }

  /** Fetches the audio whole: a browser cannot go to a place in what the server makes as it is played. */
  async #fetch() {
    const id = this.call.id;
    const file = await getBlob(`${this.path}/audio`);
    const player = this.player;
    if (!player || id !== this.call.id) {
      return;
    }
    this.source = URL.createObjectURL(file);
    const known = new Promise((resolve, reject) => {
      player.addEventListener('loadedmetadata', resolve, {once: true});
      player.addEventListener('error', () => reject(new Error('the audio could not be played')), {once: true});
    });
    player.src = this.source;
    await known;
    player.currentTime = this.at / 1000;
  }

  /** Forgets the audio that was fetched. */
  #forget() {
    this.player?.pause();
    if (this.source) {
      URL.revokeObjectURL(this.source);
      this.source = null;
      this.player?.removeAttribute('src');
    }
  }

  async #toggle() {
    const player = this.player;
    if (!player.paused) {
      player.pause();
      return;
    }
    if (this.loading) {
      return;
    }
    try {
      this.error = null;
      if (!this.source) {
        this.loading = true;
        await this.#fetch();
      }
      await player.play();
    } catch (error) {
      if (error.name !== 'AbortError') {
        this.error = error;
      }
    }
    this.loading = false;
  }

  #follow() {
    this.at = this.player.currentTime * 1000;
    if (this.playing) {
      requestAnimationFrame(() => this.player && this.#follow());
    }
  }

  #onKey(event) {
    const step = event.shiftKey ? 5000 : 1000;
    const places = {ArrowRight: this.at + step, ArrowLeft: this.at - step, Home: 0, End: this.durationMs};
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key in places) {
      this.#seek(places[event.key]);
    } else if (event.key === ' ') {
      this.#toggle();
    } else {
      return;
    }
    event.preventDefault();
  }

  #onPointer(event) {
    const box = event.currentTarget.getBoundingClientRect();
    this.#seek(((event.clientX - box.left) / box.width) * this.durationMs);
  }

  render() {
    if (this.error && !this.waveform) {
      return html`<p id="audio-refused" class="muted">${sentence(this.error.message)}</p>`;
    }
    if (!this.waveform) {
      return html`<p class="muted" role="status">Decoding…</p>`;
    }
    const now = marksAt(this.waveform.marks, this.at);
    const spoken = `${length(this.at)} of ${length(this.durationMs)}${now.length > 0 ? `, ${now.join(', ')}` : ''}`;
    return html`<audio @play=${() => { this.playing = true; this.#follow(); }}
        @pause=${() => (this.playing = false)} @ended=${() => (this.playing = false)}></audio>
      <div class="audio"><div class="audio-sides" aria-hidden="true"><span>caller</span><span>callee</span></div>
        <canvas id="waveform" class="waveform" height=${HEIGHT} tabindex="0" role="slider" aria-label="Place in the audio" aria-valuemin="0"
          aria-valuemax=${Math.round(this.durationMs)} aria-valuenow=${Math.round(this.at)} aria-valuetext=${spoken} @keydown=${this.#onKey} @pointerdown=${this.#onPointer}></canvas></div>
      <div class="audio-bar"><button type="button" id="play" aria-pressed=${String(this.playing)} @click=${() => this.#toggle()}>${this.loading ? '◌ Loading…' : this.playing ? '❚❚ Pause' : '▶ Play'}</button>
        <span class="mono" id="audio-time">${spoken}</span>
        <span class="muted" title="Time since the first message of the call, as on the ladder">call time ${length(this.#callTime(this.at))}</span><span class="push"></span>
        ${Object.entries(KINDS).filter(([kind]) => kind !== 'unreadable' || this.waveform.marks.some((mark) => mark.kind === kind)).map(([, kind]) => kind).map(([name, tone]) => html`<span class="key"><span class="swatch ${tone}" aria-hidden="true"></span>${name}</span>`)}
        <a class="button" id="save-audio" href=${url(`${this.path}/audio`)} download="call-${this.call.id}.wav">WAV</a></div>
      ${this.error ? html`<p id="audio-error" role="alert">${sentence(this.error.message)}</p>` : nothing}
      ${this.#notes()}`;
  }

  /** Milliseconds since the first message of the call. */
  #callTime(millis) {
    return Math.max(0, (millisBetween(this.call.firstSeenAt, this.waveform.startAt) ?? 0) + millis);
  }

  #notes() {
    const missing = ['caller', 'callee'].filter((side) => !this.call.streams.some((stream) => stream.direction === `from ${side}`))
      .map((side) => `${side}: no stream was captured`);
    const notes = [...missing, ...(this.waveform.notes ?? [])];
    return notes.length > 0 ? html`<ul class="notes muted">${notes.map((note) => html`<li>${visible(note)}</li>`)}</ul>` : nothing;
  }
}

customElements.define('offhook-audio-view', AudioView);
