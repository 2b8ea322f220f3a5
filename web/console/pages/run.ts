import type { LogData, RunData } from '../../../src/api/console/run-data.ts';
import { grouped, percent } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { logView } from '../parts/log.ts';
import { progressScale } from '../parts/progress-scale.ts';
import { reportFrame } from '../parts/report-frame.ts';
import { type Act, runHead } from '../parts/run-head.ts';
import { addressOfRun } from '../parts/state.ts';
import { stepList, stepsBar } from '../parts/steps.ts';
import { trainingCurves } from '../parts/training-curves.ts';
import { clock, span, stateOf, usd } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';
import { fact } from './pipeline.ts';

/** Interval in which the log of a run under way is read. */
const LOG_MS = 2_500;

/** One run or training, from its first second: its headline, its steps and its log, and after its end its report. */
export const openRun: OpenPage = ([run = ''], frame) => {
  let data: RunData | undefined;
  let log: LogData | undefined;
  let error: string | undefined;
  let doing: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const at = `/api/runs/${segment(run)}`;
  const deployment = (): string => `/api/endpoints/${segment(data?.pipeline ?? '')}?run=${segment(run)}`;

  const readLog = async (): Promise<void> => {
    log = await ask<LogData>(`${at}/log`);
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
      close();
      clearTimeout(timer);
    },
    view: () =>
      data === undefined
        ? h('div', { class: 'kicker' }, h('h1', null, run))
        : [
            runHead(data, frame, doing, act),
            error !== undefined && h('p', { class: 'alarm', role: 'alert' }, error),
            body(data, log),
          ],
  };
};

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
  if (isLive) return [headline(data), trainingCurves(data), steps, logged];
  if (!data.hasReport) return [headline(data), problems(data), trainingCurves(data), steps, logged];
  // The report draws its own headline at the same place.
  return [
    problems(data),
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

function headline(data: RunData): View {
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
  } = data;
  const nowMs = Date.now();
  const took =
    seconds ??
    (startedAt === null
      ? null
      : ((endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt)) / 1000);
  const limits = [
    ...(quoteUsd === null ? [] : [`quoted ${usd(quoteUsd)}`]),
    ...(maxCostUsd === null ? [] : [`at most $${maxCostUsd}`]),
  ].join(', ');
  return h(
    'div',
    { class: 'headline', key: 'headline' },
    h('div', null, figure(data, nowMs)),
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
        fact('Without a prediction', errors === 0 ? 'none' : grouped(errors)),
      fact(endedAt === null ? 'Cost so far' : 'Cost', costUsd === null ? 'not known' : usd(costUsd), limits),
      took !== null && fact(endedAt === null ? 'Time so far' : 'Time', span(took)),
    ),
    endedAt === null &&
      progress !== null &&
      h('p', { class: 'verdict' }, 'The gate is judged at the end. Until then there is no accuracy.'),
    data.gate !== null && data.gate.explanation !== '' && h('p', { class: 'verdict' }, data.gate.explanation),
  );
}

/** The largest words of the page. */
function figure(
  { progress, secondsLeft, verdict, step, endedAt, failure, problems: wrong, kind }: RunData,
  nowMs: number,
): Child {
  if (endedAt !== null) {
    const word =
      verdict === 'refused'
        ? 'Refused'
        : verdict === 'failed'
          ? `Failed${step === null ? '' : ` at ${step}`}`
          : stateOf(verdict, null)[1];
    const count = wrong.length === 1 ? '1 problem' : `${wrong.length} problems`;
    const note =
      verdict === 'refused' && wrong.length > 0
        ? `${count} in ${[...new Set(wrong.map(({ file }) => file))].join(', ')}. No job was started and nothing was billed. The files are kept: correct the problems, then rerun.`
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

function problems({ problems: list, failure, verdict }: RunData): Child {
  return [
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
      ),
    verdict === 'failed' &&
      failure !== null &&
      h(
        'div',
        { class: 'alarm', key: 'alarm' },
        h('p', { class: 'what' }, failure.error),
        h('p', null, failure.cause),
        failure.nextStep !== '' && h('p', { class: 'muted' }, failure.nextStep),
      ),
  ];
}
