import type { Fact } from '../facts.ts';
import { html, type Markup } from './markup.ts';

/** Facts as the entries of a `dl`; one with a section of its own leads there. */
export function factRows(all: readonly Fact[]): Markup {
  return html`${all.map(
    ({ label, value, note, section, warns }) =>
      html`<div><dt>${label}</dt><dd${warns === true && html` class="bad"`}>${section === undefined ? value : html`<a href="#${section}">${value}</a>`}${note !== undefined && html` <small>${note}</small>`}</dd></div>
`,
  )}`;
}
