import type { Finding } from '../../label/label-check.ts';
import { READING_TITLE } from '../../label/reading-text.ts';
import { grouped } from '../../text/figures.ts';
import { labelLines } from '../label-lines.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';

/** How the labels were read; false without labels. */
export function readingSection(report: Report): Markup | false {
  const lines = labelLines(report);
  if (lines.length === 0) return false;
  return html`<section id="reading"><h2>${READING_TITLE}</h2>
<table class="list"><tbody>
${lines.map(
  ({ label, text }) => html`<tr><th scope="row">${label}</th><td class="text wrap">${text}</td></tr>
`,
)}</tbody></table></section>`;
}

/** Defects of labels, each kind with its first examples; false if there are none. */
export function labelsSection({ labels }: Report): Markup | false {
  if (labels === null) return false;
  const kinds: (readonly [what: string, finding: Finding])[] = [
    ['Without a label', labels.unlabeled],
    ['Label that is not a class', labels.noClass],
    ["Row of the label file with a key that isn't a file", labels.noInput],
    ['Two different labels; the last one counts', labels.conflicting],
  ];
  const found = kinds.filter(([, { count }]) => count > 0);
  if (found.length === 0) return false;
  return html`<section id="labels"><h2>Defects of the labels</h2>
<p class="lead">${grouped(labels.labeled)} of ${grouped(labels.inputs)}${!labels.isWhole && ' looked at'} have a label.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Defects of the labels"><table class="list"><thead><tr><th scope="col">Kind</th><th scope="col">Count</th><th scope="col" class="text">The first of them</th></tr></thead><tbody>
${found.map(
  ([
    what,
    { count, examples },
  ]) => html`<tr><td>${what}</td><td>${grouped(count)}</td><td class="text wrap key">${examples.map((example, at) => html`${at > 0 && html`<br>`}${example}`)}</td></tr>
`,
)}</tbody></table></div></section>`;
}
