import type { LogData, RunData } from '../../../src/api/console/run-data.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { logView } from '../parts/log.ts';
import { reportFrame, reportLink } from '../parts/report-frame.ts';
import { hasNoFigures, problems, whyFailed } from '../parts/run-failure.ts';
import { type Act, runHead } from '../parts/run-head.ts';
import { runHeadline } from '../parts/run-headline.ts';
import { addressOfRun } from '../parts/state.ts';
import { stepList, stepsBar } from '../parts/steps.ts';
import { trainingCurves } from '../parts/training-curves.ts';
import { stateOf } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';

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
        ? [h('div.kicker', h('h1', run)), isUnknown ? unknownRun() : loading()]
        : [
            runHead(data, frame, doing, act),
            error !== undefined && h('p.alarm', { role: 'alert' }, error),
            body(data, log, !frame.place.local),
          ],
  };
};

/** A page for a run that files were just uploaded for, or of a name that is wrong. */
function unknownRun(): View {
  return h(
    'div.empty',
    h('h2', 'There is no run of this name yet'),
    h('p', 'After an upload it begins within seconds, and then it is shown here.'),
    h('div.actions', h('a.button', { href: '#/runs' }, 'All runs')),
  );
}

/** The place of the headline while nothing is known. */
function loading(): View {
  const bar = (width: number): View => h('span.ghost', { css: { '--w': `${width}px` } });
  return h('div.headline', { 'aria-busy': 'true' }, h('p.hero.word', bar(260)), h('p', bar(180)));
}

function body(data: RunData, log: LogData | undefined, isBilled: boolean): Child {
  const isLive = data.endedAt === null;
  const steps = h(
    'section',
    { 'aria-labelledby': 'steps', key: 'steps' },
    h('h2#steps', 'Steps'),
    h('p.lead', 'Solid is work, hatched is waiting. Open a step for its input, output and attempts.'),
    stepList(data),
  );
  const logged = h('section', { 'aria-labelledby': 'log', key: 'log' }, logView(log, isLive));
  if (isLive) return [runHeadline(data, log, isBilled), trainingCurves(data), steps, logged];
  // A report without figures says no more than this page.
  if (!data.hasReport || hasNoFigures(data))
    return [
      runHeadline(data, log, isBilled),
      problems(data),
      data.verdict === 'failed' && whyFailed(data, log),
      trainingCurves(data),
      steps,
      logged,
      data.hasReport && reportLink(data.run),
    ];
  // The report draws its own headline at the same place.
  return [
    data.steps.length > 0 &&
      h(
        'details.step.step-sum',
        { key: 'sum' },
        stepsBar(data),
        stepList(data),
        h('div.log-inside', logView(log, false)),
      ),
    reportFrame(data.run),
  ];
}
