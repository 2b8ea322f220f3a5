import { shownRecord } from '../../input/shown-place.ts';
import { flipKind } from '../../metric/flip.ts';
import { problemLine } from '../../problem/problem.ts';
import { moment } from '../../text/dates.ts';
import { dollars, duration, percent, plural, short } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { toSize } from '../../text/size.ts';
import { endWords } from '../page/alarm.ts';
import { factRows } from '../page/fact-rows.ts';
import { html, type Markup, raw } from '../page/markup.ts';
import { pageFrame } from '../page/page-frame.ts';
import { metricPlot } from './metric-plot.ts';
import { promotionText } from './promotion-text.ts';
import { jobFacts, judgmentFacts } from './training-facts.ts';
import type { TrainingReport } from './training-report.ts';

/** Cap on the flips of each kind that the page shows; the report of the judging run has all. */
const SHOWN_FLIPS = 20;

const TONES: Readonly<Record<TrainingReport['status'], string>> = {
  completed: 'good',
  failed: 'bad',
  canceled: '',
  refused: 'bad',
  empty: '',
};

/** report.html of a training, which has no script. */
export function trainingHtml(report: TrainingReport): string {
  const { run, status, createdAt } = report;
  return pageFrame({
    run,
    status: { words: status, tone: TONES[status] },
    createdAt,
    allowed: "style-src 'unsafe-inline'",
    top: [alarm(report), headline(report)],
    sections: [curves(report), evaluation(report), phases(report), logEnd(report), lineage(report)],
    foot:
      'A step is one line of a host’s log that the metric’s expression matched. Cost is billable seconds × instances × ' +
      'price. The same figures as data: report.json.',
  });
}

function alarm({ failure, problems, status }: TrainingReport): Markup | false {
  if (status === 'empty')
    return html`<div class="alarm"><p class="what">The drop held no files.</p><p>Upload the files to train on below the drop’s prefix; job.json, _READY and hidden files do not count.</p></div>`;
  if (failure === null) return false;
  return html`<div class="alarm" role="alert">
<p class="what">${endWords('training', status, failure.error)}</p>
${problems.length > 0 ? html`<ol>${problems.map((problem) => html`<li>${problemLine(problem)}</li>`)}</ol>` : html`<p>${inLines(failure.cause.split('\n'))}</p>`}
<p><b>Next:</b> ${failure.nextStep}</p>
</div>`;
}

function headline(report: TrainingReport): Markup | false {
  const { jobs, evaluation: judged } = report;
  if (jobs.length === 0) return false;
  return html`<div class="headline">
<div>${judged === null || judged.accuracy === null ? finals(report) : html`<p class="accuracy">${percent(judged.accuracy).slice(0, -1)}<small>%</small></p><p class="accuracy-note">accuracy on ${plural(judged.inputs, 'input')} of <a href="#evaluation">the evaluation</a>.</p>`}</div>
<dl class="facts">${factRows(jobFacts(report))}</dl>
${verdict(report)}
</div>`;
}

function finals({ metrics }: TrainingReport): Markup {
  const ended = metrics.filter(({ final }) => final !== null).slice(0, 3);
  if (ended.length === 0)
    return html`<p class="accuracy-note">No metric was read from the log: training.metrics in pipeline.json names them.</p>`;
  return html`${ended.map(({ name, final }, index) => (index === 0 ? html`<p class="accuracy">${short(final ?? 0)}</p><p class="accuracy-note">${name}, the last value of the training</p>` : html`<p class="accuracy-note">${name} <b>${short(final ?? 0)}</b></p>`))}`;
}

function verdict({ promotion }: TrainingReport): Markup | false {
  if (promotion === null) return false;
  const tone = promotion.promotion === 'promoted' ? 'good' : promotion.promotion === 'refused' ? 'bad' : '';
  const mark = promotion.promotion === 'promoted' ? '✓ ' : promotion.promotion === 'refused' ? '✗ ' : '';
  return html`<p class="verdict ${tone}">${mark !== '' && html`<b>${mark}</b>`}<span>${promotionText(promotion)}</span></p>`;
}

function curves({ metrics, run, promotion }: TrainingReport): Markup | false {
  const drawn = metrics.filter(({ hosts }) => hosts.some(({ values }) => values.length > 0));
  const asks =
    promotion?.promotion === 'asked' &&
    html`<p class="verdict"><span>To make it the model of the pipeline: <code>inferdrop promote ${quoted(run)}</code></span></p>`;
  if (drawn.length === 0) return asks;
  return html`${asks}<section id="curves"><h2>Metrics by step</h2><p class="lead">As in the log of each host.</p>
<div class="halves">${drawn.map((metric) => html`<div><h3>${metric.name}${metric.final !== null && html` <span class="muted">${short(metric.final)} at the end</span>`}</h3>${metricPlot(metric)}</div>`)}</div></section>`;
}

function evaluation({ evaluation: judged }: TrainingReport): Markup | false {
  if (judged === null) return false;
  const { against, trainedOn, nearDuplicates: alike } = judged;
  return html`<section id="evaluation"><h2>Evaluation</h2>
<p class="lead"><b>${judged.run}</b> judged the model on ${plural(judged.inputs, 'frozen input')}. ${judged.explanation}</p>
${trainedOn.count > 0 && html`<div class="alarm" style="margin-bottom:24px"><p class="what">${plural(trainedOn.count, 'input')} of the evaluation ${trainedOn.count === 1 ? 'was' : 'were'} trained on.</p><p>The gate does not count them; with them the accuracy is higher than on inputs that the model has not seen: ${trainedOn.first.join(', ')}${trainedOn.count > trainedOn.first.length && ', …'}</p></div>`}
${alike !== null && alike.count > 0 && html`<div class="alarm" style="margin-bottom:24px"><p class="what">${plural(alike.count, 'input')} of the evaluation ${alike.count === 1 ? 'looks' : 'look'} like one that was trained on.</p><p>The gate does not count them, as for copies in another encoding: ${alike.first.map(({ key, like }) => `${key} like ${like}`).join(', ')}${alike.count > alike.first.length && ', …'}</p></div>`}
<dl class="figures">${factRows(judgmentFacts(judged))}</dl>${against !== null && flips(against.flips)}</section>`;
}

function flips(all: NonNullable<NonNullable<TrainingReport['evaluation']>['against']>['flips']): Markup {
  const titles = { lost: 'Right before, wrong now', gained: 'Wrong before, right now' } as const;
  return html`${(['lost', 'gained'] as const).map((kind) => {
    const shown = all.filter((flip) => flipKind(flip) === kind).slice(0, SHOWN_FLIPS);
    if (shown.length === 0) return undefined;
    return html`<details${kind === 'lost' && html` open`}><summary>${titles[kind]}</summary><div class="scroll" tabindex="0" role="region" aria-label="${titles[kind]}"><table class="list"><thead><tr><th scope="col">Input</th><th scope="col" class="text">Truth</th><th scope="col" class="text">Before</th><th scope="col" class="text">Now</th></tr></thead><tbody>
${shown.map(
  ({
    truth,
    before,
    now,
    ...place
  }) => html`<tr><td class="wrap key">${shownRecord(place)}</td><td class="text">${truth ?? '–'}</td><td class="text">${before}</td><td class="text">${now}</td></tr>
`,
)}</tbody></table></div></details>`;
  })}`;
}

function phases({ phases: spent, jobs }: TrainingReport): Markup | false {
  if (jobs.length === 0) return false;
  const most = Math.max(1, ...spent.map(({ seconds }) => seconds ?? 0));
  return html`<section id="phases"><h2>Where the time went</h2>
<ul class="pairs" style="max-width:640px">${spent.map(({ status, seconds }) => html`<li><span>${status}</span><span>${duration(seconds)}</span><span class="bar" style="--hue:var(--right);--v:${Math.max(1, Math.round(((seconds ?? 0) / most) * 100))}%"></span></li>`)}</ul>
<div class="scroll" style="margin-top:28px" tabindex="0" role="region" aria-label="Training jobs"><table class="list"><thead><tr><th scope="col">Training job</th><th scope="col" class="text">Status</th><th scope="col" class="text">Instances</th><th scope="col">Billed a host</th><th scope="col">Cost</th></tr></thead><tbody>
${jobs.map(
  (
    job,
  ) => html`<tr><td class="wrap key">${job.name}</td><td class="text wrap">${job.status}${job.failureReason !== null && html` <span class="muted">${job.failureReason}</span>`}</td><td class="text">${job.instanceCount} × ${job.instanceType}</td><td>${duration(job.billableSeconds)}</td><td>${dollars(job.costUsd)}</td></tr>
`,
)}</tbody></table></div></section>`;
}

function logEnd({ logEnd: ends }: TrainingReport): Markup | false {
  if (ends.length === 0) return false;
  return html`<section id="log"><h2>The end of the log</h2>${ends.map(({ host, lines }) => html`<h3>${host}</h3><pre class="key" style="white-space:pre-wrap;background:var(--soft);padding:12px 16px;border-radius:6px;margin:0 0 18px">${inLines(lines)}</pre>`)}</section>`;
}

function lineage({ lineage: made, notes, program, startedAt, createdAt, run }: TrainingReport): Markup {
  const { data, source, image, model, hyperparameters } = made;
  const values = Object.entries(hyperparameters);
  return html`<section id="lineage"><h2>Lineage</h2><p class="lead">What the model was made of, in order.</p>
<dl class="receipt">
<dt>Data</dt><dd><span class="key">${data.manifest}</span><br>${plural(data.objects, 'file')}, ${toSize(data.bytes)}, frozen</dd>
${
  source !== null &&
  html`<dt>Source</dt><dd><span class="key">${source.prefix}${source.entryPoint}</span><br>${source.sha256 !== null && html`<span class="key">sha256 ${source.sha256}</span>, `}${plural(source.files, 'file')}</dd>
`
}${
    values.length > 0 &&
    html`<dt>Hyperparameters</dt><dd>${values.map(([name, value], index) => html`${index > 0 && ', '}${name} <b>${value}</b>`)}</dd>
`
  }${
    image !== null &&
    html`<dt>Container</dt><dd><span class="key">${image.uri}</span><br>${image.framework} ${image.version}${made.runtime !== null && html`; what ran is <b>${made.runtime}</b>`}${
      made.packages.length > 0 &&
      html`<details><summary>${plural(made.packages.length, 'package')}</summary><p class="key">${made.packages.join(' ')}</p></details>`
    }</dd>
`
  }${
    Object.keys(made.tags).length > 0 &&
    html`<dt>Tags</dt><dd>${Object.entries(made.tags).map(([name, value], index) => html`${index > 0 && ', '}${name} <b>${value}</b>`)}</dd>
`
  }${
    model !== null &&
    html`<dt>Model</dt><dd><span class="key">sha256 ${model.sha256}</span>, ${toSize(model.bytes)}<br>${model.content !== null && html`<span class="key">content ${model.content}</span><br>`}<span class="key">${model.artifact}</span>${model.addedCode.length > 0 && html`<br>with code/ of the source: ${model.addedCode.join(', ')}`}</dd>
`
  }<dt>Evaluation</dt><dd>${made.evaluationRun ?? 'none'}</dd>
<dt>Endpoint</dt><dd>${made.deploy === 'never' ? 'not changed' : 'its deployment follows, with a message of its own'}</dd>
<dt>Times</dt><dd><time datetime="${startedAt}">${moment(startedAt)}</time> … <time datetime="${createdAt}">${moment(createdAt)}</time></dd>
<dt>Repeat</dt><dd><code>inferdrop rerun ${quoted(run)}</code></dd>
<dt>Written by</dt><dd>${program}</dd>
</dl>
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}</section>`;
}

/** The lines with line breaks between them: one within a text would be shown as a control character. */
function inLines(lines: readonly string[]): Markup {
  return html`${lines.map((line, index) => html`${index > 0 && raw('\n')}${line}`)}`;
}
