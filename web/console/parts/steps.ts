import type { JobRow, RunData, Step, Stretch } from '../../../src/api/console/run-data.ts';
import { coordinate, decimal, dollars, duration, grouped } from '../../../src/text/figures.ts';
import { type Child, h, type View } from '../view/view.ts';
import { dataTable, orDash } from './data-table.ts';
import { state } from './state.ts';

const MAX_JOBS = 60;

/** The steps of a run on one time axis, each with its input, output and attempts inside. */
export function stepList(data: RunData): View {
  const { steps, next, startedAt, endedAt, secondsLeft, jobs } = data;
  const nowMs = endedAt === null ? Date.now() : Date.parse(endedAt);
  const fromMs = Date.parse(startedAt ?? steps[0]?.stretches[0]?.from ?? new Date(nowMs).toISOString());
  const toMs =
    Math.max(
      ...steps.flatMap(({ stretches }) => stretches.map(({ to }) => (to === null ? nowMs : Date.parse(to)))),
      nowMs,
    ) +
    1000 * (secondsLeft ?? 0);
  const last = steps.at(-1)?.name;
  return h(
    'div.steps',
    steps.map((step) =>
      stepRow(step, step.name === 'Predict' || step.name === 'Train' ? jobs : [], {
        fromMs,
        toMs,
        nowMs,
        isNow: endedAt === null && step.name === last,
      }),
    ),
    next.map((name) =>
      h(
        'div.step.next',
        { key: `next ${name}` },
        h('div.row', h('span.name', name), h('span.track'), h('span.num'), h('span.said')),
      ),
    ),
  );
}

/** The steps as one bar, for the line above a report. */
export function stepsBar({ steps, endedAt }: RunData): View {
  const nowMs = endedAt === null ? Date.now() : Date.parse(endedAt);
  return h(
    'summary',
    h(
      'span.steps-key',
      h('b', 'Steps'),
      ' ',
      steps.map((step) =>
        h(
          'span',
          `${SHORT[step.name] ?? step.name.toLowerCase()} ${duration(secondsOf(step.stretches, nowMs))} `,
        ),
      ),
      h('span.more'),
    ),
    h(
      'span.steps-bar',
      { 'aria-hidden': 'true' },
      steps.flatMap(({ stretches }) =>
        stretches.map((stretch) =>
          h('i', {
            class: CLASSES[stretch.kind],
            css: { '--v': decimal(secondsOf([stretch], nowMs), 2) },
          }),
        ),
      ),
    ),
  );
}

const SHORT: Readonly<Record<string, string>> = { 'Wait for files': 'files', 'Check outputs': 'check' };
const CLASSES: Readonly<Record<Stretch['kind'], string>> = { work: '', wait: 'wait', failed: 'bad' };

function secondsOf(stretches: readonly Stretch[], nowMs: number): number {
  return (
    stretches.reduce(
      (sum, { from, to }) => sum + Math.max(0, (to === null ? nowMs : Date.parse(to)) - Date.parse(from)),
      0,
    ) / 1000
  );
}

interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly isNow: boolean;
}

function stepRow(
  { name, stretches, said, input, output, error, states }: Step,
  jobs: readonly JobRow[],
  axis: Axis,
): View {
  return h(
    'details.step',
    // A job that runs is what people wait for.
    { key: name, open: axis.isNow && jobs.length > 0 },
    h(
      'summary',
      h('span.name', name),
      h(
        'span.track',
        { 'aria-hidden': 'true' },
        stretches.map((stretch) => segment(stretch, axis)),
      ),
      h('span.num', duration(secondsOf(stretches, axis.nowMs))),
      h('span.said', said === '' && axis.isNow ? h('span.muted', 'now') : said),
    ),
    h(
      'div.inside',
      error !== null && h('p.bad', error),
      jobs.length > 0 && jobTable(jobs),
      h('div.halves', half('Input', input, name), half('Output', output, name)),
      h('p.small.muted', `State machine: ${states.join(', ')}`),
    ),
  );
}

function segment({ from, to, kind }: Stretch, { fromMs, toMs, nowMs, isNow }: Axis): View {
  const share = (ms: number): number => (toMs === fromMs ? 0 : (100 * (ms - fromMs)) / (toMs - fromMs));
  const a = share(Date.parse(from));
  const b = share(to === null ? nowMs : Date.parse(to));
  return h('i', {
    class: to === null && isNow && kind === 'work' ? 'now' : CLASSES[kind],
    css: { '--a': `${coordinate(a)}%`, '--w': `${coordinate(Math.max(0, b - a))}%` },
  });
}

function half(title: string, json: string | null, step: string): View {
  return h(
    'div',
    h('h3', title),
    json === null
      ? h('p.muted.small', 'none yet')
      : h('pre', { tabindex: '0', role: 'region', 'aria-label': `${title} of ${step}` }, json),
  );
}

const JOB_STATES: Readonly<Record<string, readonly [shape: string, word: string]>> = {
  InProgress: ['running', 'running'],
  Completed: ['passed', 'completed'],
  Failed: ['failed', 'failed'],
  Stopping: ['running', 'being stopped'],
  Stopped: ['refused', 'stopped'],
  'no capacity': ['failed', 'no capacity'],
};

function jobTable(jobs: readonly JobRow[]): Child {
  const shown = jobs.slice(-MAX_JOBS);
  return [
    jobs.length > shown.length && h('p.small.muted', `The last ${MAX_JOBS} of ${grouped(jobs.length)} jobs.`),
    dataTable('Jobs', shown, ({ name }) => name, [
      ['Job', ({ name, attempt, kind }) => h('span', { title: name }, `${attempt}${JOB_KINDS[kind] ?? ''}`)],
      ['State', ({ status }) => state(...(JOB_STATES[status] ?? (['off', status] as const))), 'text'],
      ['Inputs', ({ inputs }) => grouped(inputs)],
      ['Took', ({ seconds }) => orDash(seconds, duration)],
      ['Cost', ({ costUsd }) => orDash(costUsd, dollars)],
      [
        'Instances',
        ({ hardware, reason }) => (reason === null ? hardware : `${hardware}; ${reason}`),
        'text wrap',
      ],
    ]),
  ];
}

const JOB_KINDS: Readonly<Record<string, string>> = {
  pilot: ', the pilot',
  retry: ', again',
  'first-half': ', a half',
  'first-bundle': ', a first bundle',
  spread: ', a few inputs',
  'second-half': ', a half',
};
