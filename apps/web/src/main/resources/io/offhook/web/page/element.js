import {LitElement} from 'lit';

/**
 * An element that renders into the page itself, not into a shadow tree: roles and labels that refer
 * to one another then work between elements, and one set of style sheets holds for all.
 */
export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}
