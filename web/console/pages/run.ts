import type { LogData, RunData } from '../../../src/api/console/run-data.ts';
import { grouped, percent } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { logView } from '../parts/log.ts';
import { progressScale } from '../parts/progress-scale.ts';
import { reportFrame, reportLink } from '../parts/report-frame.ts';
import { type Act, runHead } from '../parts/run-head.ts';
import { addressOfRun, isCancelled } from '../parts/state.ts';
import { stepList, stepsBar } from '../parts/steps.ts';
import { type Telling, tellingLines } from '../parts/telling-lines.ts';
import { trainingCurves } from '../parts/training-curves.ts';
import { clock, span, stateOf, usd } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';
import { fact } from './pipeline.ts';

/** Longest cause of a failure that stands under the headline. */
const MAX_NOTE = 240;
/** Interval in which the log of a run under way is read. */
const LOG_MS = 2_500;

/** One run or training, from its first second: its headline, its steps and its log, and after its end its report. */
export const openRun: OpenPage = ([run = ''], frame) => {
  let data: RunData | undefined;
  let log: LogData | undefined;
  let error: string | undefined;
  let doing: string | undefined;
  let isUnknown = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOpen = true;
  const at = `/api/runs/${segment(run)}`;
  const deployment = (): string => `/api/endpoints/${segment(data?.pipeline ?? '')}?run=${segment(run)}`;

  const readLog = async (): Promise<void> => {
    log = await ask<LogData>(`${at}/log`);
    if (!isOpen) return;
    frame.redraw();
    if (data === undefined || data.endedAt === null)
      timer = setTimeout(() => void readLog().catch(() => undefined), LOG_MS);
  };
  const close = watch<RunData>(`/live/runs/${segment(run)}`, frame, {
    seen(value) {
      const isEnd = data !== undefined && data.endedAt === null && value.endedAt !== null;
      data = value;
      if (isEnd) {
        doing = undefined;
        frame.say(`${run} has ended: ${stateOf(value.verdict, null)[1]}`);
      }
      frame.redraw();
    },
    over: () => void readLog().catch(() => undefined),
    unknown() {
      isUnknown = true;
      frame.redraw();
    },
  });
  void readLog().catch(() => undefined);

  /** Asks the stack for something; its button says so until the stack has answered. */
  const act: Act = async (name, words) => {
    doing = words;
    error = undefined;
    frame.redraw();
    try {
      const answer = await ask<{ readonly run?: string }>(
        name === 'deploy' ? deployment() : `${at}/${name}`,
        { method: 'POST' },
      );
      if (name === 'deploy') location.hash = '#/endpoints';
      else if (answer.run !== undefined) location.hash = addressOfRun(answer.run);
      else if (name !== 'cancel') doing = undefined;
    } catch (thrown) {
      doing = undefined;
      error = reasonOf(thrown);
    }
    frame.redraw();
  };
  return {
    title: () => run,
    close() {
      isOpen = false;
      close();
      clearTimeout(timer);
    },
    view: () =>
      data === undefined
        ? [h('div', { class: 'kicker' }, h('h1', null, run)), isUnknown ? unknownRun() : loading()]
        : [
            runHead(data, frame, doing, act),
            error !== undefined && h('p', { class: 'alarm', role: 'alert' }, error),
            body(data, log),
          ],
  };
};

/** A page for a run that files were just uploaded for, or of a name that is wrong. */
function unknownRun(): View {
  return h(
    'div',
    { class: 'empty' },
    h('h2', null, 'There is no run of this name yet'),
    h('p', null, 'After an upload it begins within seconds, and then it is shown here.'),
    h('div', { class: 'actions' }, h('a', { class: 'button', href: '#/runs' }, 'All runs')),
  );
}

/** The place of the headline while nothing is known. */
function loading(): View {
  const bar = (width: number): View => h('span', { class: 'ghost', css: { '--w': `${width}px` } });
  return h(
    'div',
    { class: 'headline', 'aria-busy': 'true' },
    h('p', { class: 'hero word' }, bar(260)),
    h('p', null, bar(180)),
  );
}

function body(data: RunData, log: LogData | undefined): Child {
  const isLive = data.endedAt === null;
  const steps = h(
    'section',
    { 'aria-labelledby': 'steps', key: 'steps' },
    h('h2', { id: 'steps' }, 'Steps'),
    h(
      'p',
      { class: 'lead' },
      'Solid is work, hatched is waiting. Open a step for its input, output and attempts.',
    ),
    stepList(data),
  );
  const logged = h('section', { 'aria-labelledby': 'log', key: 'log' }, logView(log, isLive));
  if (isLive) return [headline(data, log), trainingCurves(data), steps, logged];
  // A report without figures says no more than this page.
  if (!data.hasReport || data.verdict === 'failed' || data.verdict === 'refused')
    return [
      headline(data, log),
      problems(data),
      data.verdict === 'failed' && !isCancelled(data) && whyFailed(data, log),
      trainingCurves(data),
      steps,
      logged,
      data.hasReport && reportLink(data.run),
    ];
  // The report draws its own headline at the same place.
  return [
    data.steps.length > 0 &&
      h(
        'details',
        { class: 'step step-sum', key: 'sum' },
        stepsBar(data),
        stepList(data),
        h('div', { class: 'log-inside' }, logView(log, false)),
      ),
    reportFrame(data.run),
  ];
}

function headline(data: RunData, log: LogData | undefined): View {
  const {
    progress,
    inputs,
    bytes,
    costUsd,
    quoteUsd,
    maxCostUsd,
    startedAt,
    endedAt,
    seconds,
    errors,
    kind,
    verdict,
  } = data;
  const nowMs = Date.now();
  const took =
    seconds ??
    (startedAt === null
      ? null
      : ((endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt)) / 1000);
  const limits = [
    ...(quoteUsd === null ? [] : [`quoted ${usd(quoteUsd)}`]),
    ...(maxCostUsd === null ? [] : [`at most $${Number(maxCostUsd.toFixed(2))}`]),
  ].join(', ');
  return h(
    'div',
    { class: 'headline', key: 'headline' },
    h('div', null, figure(data, log, nowMs)),
    h(
      'dl',
      { class: 'facts' },
      fact(
        kind === 'training' ? 'Files' : 'Inputs',
        inputs === null ? '–' : grouped(inputs),
        bytes === null ? '' : toSize(bytes),
      ),
      endedAt !== null &&
        errors !== null &&
        (errors > 0 || verdict !== 'failed') &&
        fact('Without a prediction', errors === 0 ? 'none' : grouped(errors)),
      fact(endedAt === null ? 'Cost so far' : 'Cost', costUsd === null ? 'not known' : usd(costUsd), limits),
      took !== null && fact(endedAt === null ? 'Time so far' : 'Time', span(took)),
    ),
    endedAt === null &&
      progress !== null &&
      h('p', { class: 'verdict' }, 'The gate is judged at the end. Until then there is no accuracy.'),
    data.gate !== null &&
      verdict !== 'failed' &&
      verdict !== 'refused' &&
      data.gate.explanation !== '' &&
      h('p', { class: 'verdict' }, data.gate.explanation),
  );
}

/** The largest words of the page. */
function figure(data: RunData, log: LogData | undefined, nowMs: number): Child {
  const { progress, secondsLeft, verdict, step, endedAt, failure, problems: wrong, kind, jobs } = data;
  if (endedAt !== null) {
    const word =
      verdict === 'refused'
        ? 'Refused'
        : isCancelled(data)
          ? 'Cancelled'
          : verdict === 'failed'
            ? `Failed${step === null ? '' : ` at ${step}`}`
            : stateOf(verdict, null)[1];
    const count = wrong.length === 1 ? '1 problem' : `${wrong.length} problems`;
    const note =
      verdict === 'refused' && wrong.length > 0
        ? `${count} in ${[...new Set(wrong.map(({ file }) => file))].join(', ')}. No job was started and nothing was billed. The files are kept: correct the problems, then rerun.`
        : isUnpredicted(data)
          ? `${grouped(jobs.length)} ${jobs.length === 1 ? 'job was' : 'jobs were'} tried; no input has a prediction.`
          : isToldBelow(failure, tellingLines(log?.lines ?? []))
            ? ''
            : (failure?.cause ?? '');
    return [h('p', { class: 'hero word' }, word), h('p', { class: 'note' }, note)];
  }
  if (progress !== null && progress.total > 0) {
    const share = progress.done / progress.total;
    const rest =
      secondsLeft === null
        ? ''
        : `About ${span(secondsLeft)} of predicting left; predicted at about ${clock(new Date(nowMs + secondsLeft * 1000).toISOString(), nowMs)}.`;
    const [value, unit] = [percent(share).slice(0, -1), '%'];
    return [
      h('p', { class: 'hero' }, value, h('small', null, unit)),
      h(
        'p',
        { class: 'note' },
        `predicted: ${progress.approximate ? 'about ' : ''}${grouped(progress.done)} of ${grouped(progress.total)} inputs.`,
        rest !== '' && [h('br', null), rest],
      ),
      progressScale(share, percent(share)),
    ];
  }
  const [, word] = stateOf(verdict, step);
  const note =
    step === 'Wait for files'
      ? `The ${kind === 'training' ? 'training' : 'run'} starts when no file has arrived for a while (drop.quietSeconds of pipeline.json), or when _READY is there. Nothing has been billed.`
      : '';
  return [
    h('p', { class: 'hero word' }, `${word.charAt(0).toUpperCase()}${word.slice(1)}`),
    h('p', { class: 'note' }, note),
  ];
}

function problems({ problems: list }: RunData): Child {
  return (
    list.length > 0 &&
    h(
      'section',
      { key: 'problems', 'aria-labelledby': 'correct' },
      h('h2', { id: 'correct' }, 'What to correct'),
      h(
        'ol',
        { class: 'problems' },
        list.map(({ file, field, value, message }) =>
          h(
            'li',
            null,
            h(
              'span',
              null,
              h('span', { class: 'key' }, field === '' ? file : `${file}: ${field}`),
              value === '' ? '' : ` is ${value}`,
              h('br', null),
              h('span', { class: 'muted' }, message),
            ),
          ),
        ),
      ),
    )
  );
}

/** Whether jobs have run and no input has a prediction: its cause repeats the reason of each job. */
function isUnpredicted({ jobs, errors, inputs }: RunData): boolean {
  return jobs.length > 0 && errors !== null && errors === inputs;
}

/** Whether a cause would be a wall of text under the headline, such as one that quotes a script, or would repeat what the log's lines say. */
function isToldBelow(failure: RunData['failure'], { lines, place }: Telling): boolean {
  if (failure === null) return false;
  const { cause } = failure;
  const isRepeated =
    (place !== undefined && cause.includes(place.error)) ||
    (cause !== '' && lines.some(({ text }) => text.includes(cause)));
  return cause.length > MAX_NOTE || isRepeated;
}

/** The place in the person's own script, or the error's name, with the lines of the log that explain it. */
function whyFailed(data: RunData, log: LogData | undefined): Child {
  const { failure } = data;
  const telling = tellingLines(log?.lines ?? []);
  const { lines, place } = telling;
  if (failure === null && lines.length === 0) return null;
  return h(
    'div',
    { class: 'alarm', key: 'alarm' },
    h(
      'p',
      { class: 'what' },
      place === undefined ? (failure?.error ?? 'The last lines') : `${place.where}: ${place.error}`,
    ),
    lines.length > 0 &&
      h(
        'pre',
        { tabindex: '0', role: 'region', 'aria-label': 'Lines of the log that explain it' },
        lines.map(({ text }) => `${text}\n`).join(''),
      ),
    failure !== null && failure.nextStep !== '' && h('p', { class: 'muted' }, failure.nextStep),
    failure !== null &&
      (isUnpredicted(data) || isToldBelow(failure, telling)) &&
      h(
        'details',
        { class: 'small', key: 'cause' },
        h('summary', null, 'The whole reason'),
        h('p', { class: 'muted' }, failure.cause),
      ),
  );
}
