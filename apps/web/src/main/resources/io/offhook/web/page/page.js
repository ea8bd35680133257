import {html, nothing} from 'lit';
import {changes, get} from './api.js';
import {PageElement} from './element.js';
import {count} from './figures.js';
import {Pace} from './pace.js';
import {back, capture, go, link, route} from './route.js';
import {keep, onSetting, setting, utc} from './settings.js';
import './call-list.js';
import './help.js';
import './upload.js';

const LINKS = [['/', 'calls', 'Calls'], ['/streams', 'streams', 'Streams'], ['/registrations', 'registrations', 'Registrations'],
  ['/statistics', 'statistics', 'Statistics'], ['/system', 'system', 'System']];
// The views that a list does not need are loaded when they are opened.
const VIEWS = {
  call: () => import('./call-view.js'),
  streams: () => import('./stream-list.js'),
  registrations: () => import('./registration-list.js'),
  registration: () => import('./registration-view.js'),
  statistics: () => import('./statistics.js'),
  system: () => import('./system.js'),
};
// Under which link of the head a view is.
const PARENTS = {call: 'calls', registration: 'registrations'};
const THEMES = {light: 'Light', dark: 'Dark', system: 'Auto'};

/** The frame of all pages: navigation, drops of our own capture, theme, keys, uploads. */
export class Page extends PageElement {
  static properties = {
    route: {state: true}, state: {state: true}, connected: {state: true}, system: {state: true}, loaded: {state: true}, failed: {state: true},
  };

  constructor() {
    super();
    this.route = route(location);
    this.state = null;
    this.connected = true;
    this.system = null;
    this.loaded = new Set(['calls', 'unknown']);
    this.failed = null;
    this.pace = new Pace(400, async () => this.view?.refresh?.());
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('popstate', () => this.#onRoute());
    addEventListener('offhook-route', () => this.#onRoute());
    document.addEventListener('visibilitychange', () => this.#listen());
    addEventListener('keydown', (event) => this.#onKey(event));
    this.addEventListener('click', (event) => this.#onClick(event));
    onSetting((name) => this.#onSetting(name));
    this.#listen();
    this.#loadSystem();
    this.#loadView();
  }

  /**
   * Listens while the page is looked at: browsers open six connections to a server, all tabs and left pages together. What
   * was missed meanwhile shows in the first change.
   */
  #listen() {
    this.stop?.();
    this.stop = null;
    this.listening = capture();
    if (document.hidden) {
      return;
    }
    this.stop = changes((change) => this.#onChange(change), (connected) => this.#onConnection(connected));
  }

  #onConnection(connected) {
    const back = connected && !this.connected;
    this.connected = connected;
    if (back && this.failed) {
      this.#loadView();
    } else if (back) {
      this.view?.refresh?.();
    }
  }

  #onChange(change) {
    const before = this.state;
    this.state = change;
    if (change.reading || before?.reading) {
      this.#loadSystem();
    }
    // the first one too: what the view shows may be older than it, and nothing may change ever after
    if (before?.revision !== change.revision) {
      this.pace.ask();
    }
  }

  async #loadSystem() {
    try {
      this.system = await get('/system');
    } catch {
      // The page works without it: what it would forbid, the server refuses itself.
    }
  }

  #onRoute() {
    this.route = route(location);
    if (this.listening !== capture()) {
      this.#listen();
    }
    this.#loadView();
  }

  async #loadView() {
    const name = this.route.view;
    this.failed = null;
    if (!this.loaded.has(name)) {
      try {
        await VIEWS[name]();
        this.loaded = new Set([...this.loaded, name]);
      } catch (error) {
        this.failed = error;
      }
    }
    if (name === 'statistics' || name === 'system') {
      this.querySelector('main')?.focus({preventScroll: true}); // Page Up and Page Down scroll it
    }
    document.title = `${{call: 'Call', registration: 'Registration', unknown: 'Not found'}[name] ?? LINKS.find((entry) => entry[1] === name)[2]} · Offhook`;
  }

  #onSetting(name) {
    if (name === 'theme') {
      const theme = setting('theme', 'system');
      if (theme === 'system') {
        delete document.documentElement.dataset.theme;
      } else {
        document.documentElement.dataset.theme = theme;
      }
    }
    this.requestUpdate();
    this.view?.redraw?.();
  }

  get view() {
    return this.querySelector('main > *:last-child');
  }

  /** Links within the page do not load it again. */
  #onClick(event) {
    const anchor = event.target.closest('a[href]');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (anchor && plain && anchor.origin === location.origin && !anchor.hasAttribute('download')
      && !anchor.pathname.startsWith('/api/') && !anchor.getAttribute('href').startsWith('#')) {
      event.preventDefault();
      go(anchor.href);
    }
  }

  #onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
    const help = this.querySelector('offhook-help');
    if (event.key === 'F1' || (event.key === '?' && !event.typing)) {
      help.toggle();
    } else if (help.open) {
      return;
    } else if (!this.view?.key?.(event)) {
      if (event.key !== 'Escape' || this.route.view === 'calls') {
        return;
      }
      back();
    }
    event.preventDefault();
  }

  render() {
    return html`<a class="skip" href="#main" @click=${(event) => { event.preventDefault(); this.querySelector('main').focus(); }}>Skip to the content</a>
      <header class="page-head">
        <a class="brand" href=${link('/')}><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 11V8.5M6 11V5M9 11V6.5M12 11V4"></path></svg>Offhook</a>
        <nav aria-label="Pages">${LINKS.map(([path, name, label]) => html`<a href=${link(path)}
          aria-current=${name === (PARENTS[this.route.view] ?? this.route.view) ? 'page' : nothing}>${label}</a>`)}</nav>
        <span class="push"></span>
        ${this.#state()}
        <button type="button" id="open-capture" class="plain" title="Analyse a capture file, shown apart (or drop it on the page)"
          @click=${() => this.querySelector('offhook-upload').choose()}><span aria-hidden="true">+</span><span>Open capture</span></button>
        <button type="button" id="zone" class="plain" title="Times are shown in ${utc() ? 'UTC' : 'local time'}" aria-label="Times in ${utc() ? 'UTC' : 'local time'}: switch"
          @click=${() => keep('utc', !utc())}>${utc() ? 'UTC' : 'Local'}</button>
        <button type="button" id="theme" class="plain" title="Theme: ${THEMES[setting('theme', 'system')]}" aria-label="Theme ${THEMES[setting('theme', 'system')]}: switch"
          @click=${() => this.#switchTheme()}>${THEMES[setting('theme', 'system')]}</button>
        <button type="button" id="help" class="plain" aria-label="Keys and help" title="Keys and help (?)" @click=${() => this.querySelector('offhook-help').toggle()}>?</button>
      </header>
      <offhook-upload .mostBytes=${this.system?.uploadMostBytes ?? null}></offhook-upload>
      <main id="main" tabindex="-1">${this.#view()}</main>
      <offhook-help></offhook-help>`;
  }

  #switchTheme() {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const order = dark ? ['system', 'light', 'dark'] : ['system', 'dark', 'light'];
    keep('theme', order[(order.indexOf(setting('theme', 'system')) + 1) % order.length]);
  }

  #state() {
    const drops = this.state?.drops ?? this.#systemDrops();
    const reading = this.system?.inputs?.find((input) => input.state === 'reading');
    return html`${!this.connected
      ? html`<span id="connection" class="badge bad" role="status">✕ Not connected</span>`
      : this.state?.reading
        ? html`<span id="connection" class="badge neutral" role="status">◌ Reading${reading?.percent ? ` ${Math.floor(reading.percent)} %` : ''}</span>`
        : nothing}
      <a id="drops" class="badge ${drops ? 'bad' : 'quiet'}" href=${link('/system')}
        title="Packets that our own capture, analysis or store dropped">${drops === null
          ? 'Drops unknown'
          : drops > 0 ? html`<span aria-hidden="true">▼</span> ${count(drops)} dropped` : 'Nothing dropped'}</a>`;
  }

  #systemDrops() {
    return this.system ? this.system.drops.reduce((sum, drop) => sum + drop.count, 0) : null;
  }

  #view() {
    const {view, id, params} = this.route;
    if (this.failed) {
      return html`<div class="state" role="alert"><h1>This page could not be loaded</h1><p>The server cannot be reached. Is offhook serve still running?</p>
        <button type="button" @click=${() => this.#loadView()}>Try again</button></div>`;
    }
    if (!this.loaded.has(view)) {
      return html`<div class="state" role="status">Loading…</div>`;
    }
    switch (view) {
      case 'calls':
        return html`<offhook-call-list .params=${params}></offhook-call-list>`;
      case 'call':
        return html`<offhook-call-view .callKey=${id} .source=${params.get('in')}></offhook-call-view>`;
      case 'streams':
        return html`<offhook-stream-list .params=${params}></offhook-stream-list>`;
      case 'registrations':
        return html`<offhook-registration-list .params=${params}></offhook-registration-list>`;
      case 'registration':
        return html`<offhook-registration-view .registrationKey=${id} .source=${params.get('in')}></offhook-registration-view>`;
      case 'statistics':
        return html`<offhook-statistics .params=${params}></offhook-statistics>`;
      case 'system':
        return html`<offhook-system></offhook-system>`;
      default:
        return html`<div class="state"><h1>No such page</h1><p>Nothing is at this address. <a href=${link('/')}>Calls</a></p></div>`;
    }
  }
}

customElements.define('offhook-page', Page);
