import {html} from 'lit';
import {PageElement} from './element.js';
import {visible} from './text.js';
import {length, millisBetween} from './times.js';
import {problemClass} from './words.js';

/** What was wrong with a call, the worst first. */
export class ProblemList extends PageElement {
  static properties = {problems: {attribute: false}, start: {attribute: false}};

  render() {
    return html`<ul class="problems" id="problems">${this.problems.map((problem) => html`<li data-kind=${problem.kind}>${problemClass(problem.class)}
      <span class="at">${problem.at ? length(Math.max(0, millisBetween(this.start, problem.at))) : ''}</span>
      <span>${visible(problem.text)}</span></li>`)}</ul>`;
  }
}

customElements.define('offhook-problem-list', ProblemList);
