import { shownPlace } from '../../input/shown-place.ts';
import { grouped, percent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { fileLink } from './page-links.ts';

const REASONS: Readonly<Record<string, string>> = {
  unreadable: 'The file is of a kind that is not sent, or its tar cannot be read',
  empty: 'The file has no bytes',
  'too-large': 'The file is larger than one request may be',
  'key-too-long': 'The key of the output would be too long',
  'model-error': 'The model had no answer to the file',
  superseded: 'The file was overwritten during the run (not counted as an error)',
  deleted: 'The file was deleted during the run (not counted as an error)',
  'not-attempted': 'No job was started for it',
  'unreadable-output': 'The answer cannot be read',
  'ambiguous-output': 'The answer could mean two things',
  'wrong-record-count': 'The answer has another number of predictions than the file has records',
  'not-a-number': 'The answer has NaN',
  'output-missing': 'The answer vanished before it was read',
};

/** Inputs without a usable prediction, by reason and one by one. */
export function failuresSection({ errorsByReason, failures, errors, records }: Report): Markup | false {
  if (errors === 0) return false;
  const reasons = Object.entries(errorsByReason);
  const all = records + errors;
  const most = Math.max(...reasons.map(([, count]) => count));
  return html`<section id="errors"><h2>Without a usable prediction</h2>
<p class="lead">${grouped(errors)} of ${grouped(all)}. All of them are in ${fileLink('errors.csv')}.</p>
<ul class="pairs" style="max-width:640px">${reasons.map(
    ([reason, count]) =>
      html`<li><span>${REASONS[reason] ?? reason} <span class="key muted">${reason}</span></span><span>${grouped(count)} <span class="muted">${percent(count / all)}</span></span><span class="bar" style="--v:${Math.max(1, Math.round((count / most) * 100))}%"></span></li>`,
  )}</ul>
<details${failures.length <= 20 && html` open`}><summary>${failures.length < errors ? `The first ${grouped(failures.length)}` : 'Each of them'}</summary><div class="scroll" tabindex="0" role="region" aria-label="Without a usable prediction"><table class="list"><thead><tr><th scope="col">Input</th><th scope="col" class="text">Reason</th><th scope="col" class="text">Detail</th></tr></thead><tbody>
${failures.map(
  ({
    reason,
    detail,
    ...place
  }) => html`<tr><td class="wrap key">${shownPlace(place)}</td><td class="text">${reason}</td><td class="text wrap">${detail}</td></tr>
`,
)}</tbody></table></div></details></section>`;
}
