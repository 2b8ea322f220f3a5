import { moment } from '../../text/dates.ts';
import { dollars, grouped } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';

/** The receipt of this run: its model, container, settings and jobs. */
export function receiptSection({
  program,
  setup,
  jobs,
  notes,
  startedAt,
  createdAt,
}: Report): Markup | false {
  if (setup === null && notes.length === 0) return false;
  return html`<section id="receipt"><h2>Receipt</h2><p class="lead">Enough to repeat the run.</p>
${
  setup !== null &&
  html`<dl class="receipt">
<dt>Model</dt><dd>${setup.artifact}<br><span class="key">sha256 ${setup.modelSha256}</span></dd>
<dt>Container</dt><dd><span class="key">${setup.imageUri}</span><br>${setup.framework} ${setup.frameworkVersion}</dd>
${
  setup.runtimes.length > 0 &&
  html`<dt>What ran</dt><dd>${setup.runtimes.map((runtime, at) => html`${at > 0 && html`<br>`}${runtime}`)}<br><span class="muted">as the container’s log says, instead of the image</span></dd>
`
}<dt>Input</dt><dd><span class="key">${setup.input}</span></dd>
<dt>Settings</dt><dd>${Object.entries(setup.transform).map(([name, value], at) => html`${at > 0 && ', '}${name} <b>${String(value)}</b>`)}</dd>
<dt>Times</dt><dd>${startedAt !== null && html`<time datetime="${startedAt}">${moment(startedAt)}</time> … `}<time datetime="${createdAt}">${moment(createdAt)}</time></dd>
${program !== null && html`<dt>Written by</dt><dd>${program}</dd>`}
</dl>`
}
${
  jobs.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="Transform jobs"><table class="list"><thead><tr><th scope="col">Transform job</th><th scope="col" class="text">Status</th><th scope="col" class="text">Instances</th><th scope="col">Inputs</th><th scope="col">Cost</th></tr></thead><tbody>
${jobs.map(
  (
    job,
  ) => html`<tr><td class="wrap key">${job.name}</td><td class="text wrap">${job.status}${job.failureReason !== null && html` <span class="muted">${job.failureReason}</span>`}</td><td class="text">${job.hardware}</td><td>${grouped(job.objects)}</td><td>${dollars(job.costUsd)}</td></tr>
`,
)}</tbody></table></div>`
}
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</section>`;
}
