import {html, nothing} from 'lit';
import {get, saveBlob} from './api.js';
import {PageElement} from './element.js';
import {count} from './figures.js';
import {ROW} from './ladder-layout.js';
import {isBadRegistration, whyOf} from './registration-list.js';
import {back, link} from './route.js';
import {utc} from './settings.js';
import {sentence, visible} from './text.js';
import {clock, day, zone} from './times.js';
import {outcome} from './words.js';
import './ladder.js';
import './message-view.js';

// What the ladder asks of a call, and a registration has not.
const NOTHING = {streams: [], legs: [], dialogs: [], keys: [], holds: [], icmpErrors: [], problems: [], passages: []};
const WORDS = {
  registered: 'The registrar accepted it', removed: 'The binding was removed', challenged: 'The registrar asked for credentials, and got none',
  rejected: 'The registrar refused it', unanswered: 'The registrar did not answer', expired: 'It was not renewed in time',
};

/** The page of one registration: what became of it, and its messages. */
export class RegistrationView extends PageElement {
  static properties = {
    registrationKey: {attribute: false}, source: {attribute: false}, registration: {state: true}, messages: {state: true}, error: {state: true}, message: {state: true},
  };

  constructor() {
    super();
    this.registration = null;
    this.messages = [];
  }

  willUpdate(changed) {
    if (changed.has('registrationKey') || changed.has('source')) {
      this.registration = null;
      this.message = null;
      this.#load();
    }
  }

  updated() {
    this.querySelector('.call-flow')?.style.setProperty('--needed', `${this.messages.length * ROW + 160}px`);
  }

  async #load() {
    const key = this.registrationKey;
    const path = `/registrations/${encodeURIComponent(key)}`;
    try {
      const [registration, {messages}] = await Promise.all([get(path), get(`${path}/messages`)]);
      if (key !== this.registrationKey) {
        return;
      }
      this.error = null;
      const isFirst = this.registration === null;
      const frame = this.message?.frame;
      this.registration = registration;
      this.messages = messages;
      this.message = messages.find((one) => one.frame === frame) ?? messages[0] ?? null;
      document.title = `${visible(registration.user ?? registration.addressOfRecord)} · Offhook`;
      await this.updateComplete;
      if (isFirst) {
        this.querySelector('#ladder')?.focus({preventScroll: true});
      }
    } catch (error) {
      this.error = error;
    }
  }

  /** Something changed: a registration may have been renewed. */
  async refresh() {
    await this.#load();
  }

  /** The zone of times changed. */
  redraw() {
    this.requestUpdate();
    this.querySelectorAll('offhook-ladder, offhook-message-view').forEach((view) => view.requestUpdate());
  }

  /** A key of the page that belongs to the registration. Returns whether it did. */
  key(event) {
    if ((event.key === 't' || event.key === 'T') && !event.typing) {
      this.querySelector('offhook-ladder')?.nextMode();
    } else if (event.key === 'Escape' && this.querySelector('.message-card')?.contains(document.activeElement)) {
      this.querySelector('#ladder').focus();
    } else if (event.key === 'Escape') {
      back('/registrations');
    } else {
      return false;
    }
    return true;
  }

  #onOpen() {
    const card = this.querySelector('.message-card');
    this.querySelector('#message-body')?.focus({preventScroll: true});
    card.scrollTop = 0;
    card.scrollIntoView({block: 'nearest'});
  }

  #saveJson() {
    const text = JSON.stringify({registration: this.registration, messages: this.messages}, null, 2);
    saveBlob(new Blob([text], {type: 'application/json'}), `registration-${this.registration.id}.json`);
  }

  render() {
    if (this.error && !this.registration) {
      return html`<div class="state" role="alert"><h1>This registration cannot be shown</h1><p>${sentence(this.error.message)}</p><p><a href=${link('/registrations')}>Registrations</a></p></div>`;
    }
    if (!this.registration) {
      return html`<div class="state" role="status">Loading the registration…</div>`;
    }
    return html`${this.#head(this.registration)}<div class="page-body">
      <section class="call-flow" aria-label="Messages"><div class="card"><offhook-ladder .call=${{...NOTHING, id: this.registration.id}} .messages=${this.messages} name="registration"
        @ladder-select=${(event) => (this.message = event.detail.item)} @ladder-open=${() => this.#onOpen()}></offhook-ladder></div>
        <div class="card message-card" role="group" aria-label="Message"><offhook-message-view .message=${this.message} .messages=${this.messages}></offhook-message-view></div></section></div>`;
  }

  #head(one) {
    const isBad = isBadRegistration(one);
    const why = whyOf(one);
    const facts = [
      ['First', `${day(one.firstAt, utc())} ${clock(one.firstAt, utc())} ${zone(one.firstAt, utc())}`],
      ['Last', `${day(one.lastAt, utc())} ${clock(one.lastAt, utc())}`],
      ['Bound until', one.boundUntil ? `${day(one.boundUntil, utc())} ${clock(one.boundUntil, utc(), 0)}` : null],
      ['Expires', one.expiresSeconds === null ? null : `${count(one.expiresSeconds)} s`],
      ['Requests', count(one.requests)],
      ['Credentials', one.challenged ? 'asked for' : 'not asked for'],
      ['Client', one.client], ['Registrar', one.registrar], ['Contact', one.contact], ['Software', one.userAgent], ['Call-ID', one.callId],
    ].filter(([, value]) => value);
    return html`<div class="call-head" id="registration-head">
      <div class="call-title"><h1>${visible(one.addressOfRecord ?? one.user)}</h1>${outcome(one.outcome, one.finalStatus)}<span class="push"></span>
        ${one.user ? html`<a class="button" href=${link('/', {number: one.user})}>Calls of ${visible(one.user)}</a>` : nothing}
        <button type="button" id="save-json" title="Save the registration and its messages as JSON" @click=${() => this.#saveJson()}>JSON</button></div>
      <p id="verdict" class="verdict">${WORDS[one.outcome] ?? sentence(one.outcome)}${one.finalStatus >= 300 ? ` (${one.finalStatus})` : ''}.${why
        ? html` <span class="why ${isBad ? 'is-bad-text' : 'muted'}">${isBad ? html`<span class="mark" aria-hidden="true">✕</span>Bad: ` : nothing}${sentence(why)}</span>` : nothing}</p>
      <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${visible(value)}</dd></div>`)}</dl></div>`;
  }
}

customElements.define('offhook-registration-view', RegistrationView);
