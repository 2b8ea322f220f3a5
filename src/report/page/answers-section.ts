import { shownRecord } from '../../input/shown-place.ts';
import { grouped } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';

/** Some answers of a run that nobody judges, as JSON. */
export function answersSection({ answers, records }: Report): Markup | false {
  if (answers.length === 0) return false;
  const some =
    answers.length < records
      ? `${grouped(answers.length)} of ${grouped(records)}, drawn by lot`
      : 'All of them';
  return html`<section id="answers"><h2>Answers</h2>
<p class="lead">${some}. The rows (rows/*.parquet) have each as JSON in the column prediction.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Answers"><table class="list"><thead><tr><th scope="col">Input</th><th scope="col" class="text">Answer</th></tr></thead><tbody>
${answers.map(
  ({
    answer,
    ...place
  }) => html`<tr><td class="wrap key">${shownRecord(place)}</td><td class="text wrap key">${answer}</td></tr>
`,
)}</tbody></table></div></section>`;
}
