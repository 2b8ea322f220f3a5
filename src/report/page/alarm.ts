import { causeWithExample } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';

/** Sentence about the end of a run or training without figures. */
export function endWords(noun: 'run' | 'training', status: Report['status'], error: string): string {
  if (status === 'refused') return `The ${noun} was refused before any money was spent.`;
  return status === 'canceled' ? `The ${noun} was canceled.` : `The ${noun} failed: ${error}`;
}

/** Why the run ended early, and what to do; false if it did not. */
export function alarm({ failure, problems, status }: Report): Markup | false {
  if (status === 'empty') {
    return html`<div class="alarm"><p class="what">The drop held no files.</p><p>Upload the files below the drop’s prefix; job.json, labels files, _READY and hidden files do not count.</p></div>`;
  }
  if (failure === null) return false;
  return html`<div class="alarm" role="alert">
<p class="what">${endWords('run', status, failure.error)}</p>
${
  problems.length > 0
    ? html`<ol>${problems.map((problem) => html`<li>${problemLine(problem)}</li>`)}</ol>`
    : html`<p>${causeWithExample(failure)}</p>`
}
<p><b>Next:</b> ${failure.nextStep}</p>
</div>`;
}
