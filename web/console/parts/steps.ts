import type { JobRow, RunData, Step, Stretch } from '../../../src/api/console/run-data.ts';
import { coordinate, decimal, dollars, duration, grouped } from '../../../src/text/figures.ts';
import { type Child, h, type View } from '../view/view.ts';
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
    'div',
    { class: 'steps' },
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
        'div',
        { class: 'step next', key: `next ${name}` },
        h(
          'div',
          { class: 'row' },
          h('span', { class: 'name' }, name),
          h('span', { class: 'track' }),
          h('span', { class: 'num' }),
          h('span', { class: 'said' }),
        ),
      ),
    ),
  );
}

/** The steps as one bar, for the line above a report. */
export function stepsBar({ steps, endedAt }: RunData): View {
  const nowMs = endedAt === null ? Date.now() : Date.parse(endedAt);
  return h(
    'summary',
    null,
    h(
      'span',
      { class: 'steps-key' },
      h('b', null, 'Steps'),
      ' ',
      steps.map((step) =>
        h(
          'span',
          null,
          `${SHORT[step.name] ?? step.name.toLowerCase()} ${duration(secondsOf(step.stretches, nowMs))} `,
        ),
      ),
      h('span', { class: 'more' }),
    ),
    h(
      'span',
      { class: 'steps-bar', 'aria-hidden': 'true' },
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
    'details',
    // A job that runs is what people wait for.
    { class: 'step', key: name, open: axis.isNow && jobs.length > 0 },
    h(
      'summary',
      null,
      h('span', { class: 'name' }, name),
      h(
        'span',
        { class: 'track', 'aria-hidden': 'true' },
        stretches.map((stretch) => segment(stretch, axis)),
      ),
      h('span', { class: 'num' }, duration(secondsOf(stretches, axis.nowMs))),
      h('span', { class: 'said' }, said === '' && axis.isNow ? h('span', { class: 'muted' }, 'now') : said),
    ),
    h(
      'div',
      { class: 'inside' },
      error !== null && h('p', { class: 'bad' }, error),
      jobs.length > 0 && jobTable(jobs),
      h('div', { class: 'halves' }, half('Input', input, name), half('Output', output, name)),
      h('p', { class: 'small muted' }, `State machine: ${states.join(', ')}`),
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
    null,
    h('h3', null, title),
    json === null
      ? h('p', { class: 'muted small' }, 'none yet')
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
  const head = (title: string, isText = false): View =>
    h('th', { scope: 'col', class: isText ? 'text' : '' }, title);
  return h(
    'div',
    { class: 'scroll edge', tabindex: '0', role: 'region', 'aria-label': 'Jobs' },
    jobs.length > shown.length &&
      h('p', { class: 'small muted' }, `The last ${MAX_JOBS} of ${grouped(jobs.length)} jobs.`),
    h(
      'table',
      { class: 'list' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          head('Job'),
          head('State', true),
          head('Inputs'),
          head('Took'),
          head('Cost'),
          head('Instances', true),
        ),
      ),
      h(
        'tbody',
        null,
        shown.map(({ attempt, kind, status, inputs, seconds, costUsd, hardware, reason, name }) =>
          h(
            'tr',
            { key: name },
            h('td', { title: name }, `${attempt}${JOB_KINDS[kind] ?? ''}`),
            h('td', { class: 'text' }, state(...(JOB_STATES[status] ?? (['off', status] as const)))),
            h('td', null, grouped(inputs)),
            h('td', null, seconds === null ? '–' : duration(seconds)),
            h('td', null, costUsd === null ? '–' : dollars(costUsd)),
            h('td', { class: 'text wrap' }, reason === null ? hardware : `${hardware}; ${reason}`),
          ),
        ),
      ),
    ),
  );
}

const JOB_KINDS: Readonly<Record<string, string>> = {
  pilot: ', the pilot',
  retry: ', again',
  'first-half': ', a half',
  'first-bundle': ', a first bundle',
  spread: ', a few inputs',
  'second-half': ', a half',
};
