import { confusionMatrixSvg } from './confusion-matrix-svg.ts';
import { dollars, duration, grouped, percent } from './figures.ts';
import { html } from './markup.ts';
import type { Report } from './report.ts';

/** First cut of report.html. */
export function reportHtml(report: Report): string {
  return html`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${report.run}</title>
<h1>${report.run}</h1>
<p>${report.status}: ${grouped(report.total)} inputs, ${report.accuracy === null ? 'no accuracy' : percent(report.accuracy)}, ${report.errors} errors, ${dollars(report.costUsd)}, ${duration(report.seconds)}. ${report.gate.explanation}</p>
${report.failure !== null && html`<p>${report.failure.error}: ${report.failure.cause}</p>`}
<ul>${report.problems.map((problem) => html`<li>${problem.message}</li>`)}</ul>
<div style="max-width:900px">${confusionMatrixSvg(report)}</div>
</html>
`.markup;
}
