import type { EndpointRow } from '../../../src/api/console/endpoint-row.ts';
import type { PipelineRow, PipelinesData } from '../../../src/api/console/pipeline-row.ts';
import type { RunRow } from '../../../src/api/console/run-row.ts';
import { ago, clock, left, moment } from '../../../src/text/dates.ts';
import { dollars, duration, grouped, percent, plural } from '../../../src/text/figures.ts';
import { watch } from '../data/watch.ts';
import type { OpenPage } from '../page.ts';
import { sparkline } from '../parts/sparkline.ts';
import { addressOfRun, meter, state } from '../parts/state.ts';
import { stateOf } from '../parts/words.ts';
import { type Child, h, type View } from '../view/view.ts';

/** The first page: what is under way, and every pipeline in a row. */
export const openPipelines: OpenPage = (_, frame) => {
  let data: PipelinesData | undefined;
  const close = watch<PipelinesData>('/live/pipelines', frame, { seen: (value) => (data = value) });
  return {
    title: () => 'Pipelines',
    close,
    view: () =>
      data === undefined
        ? // What may have the focus comes with the data, so that no other page takes its place.
          [h('div.head', h('h1', 'Pipelines')), loading()]
        : data.pipelines.length === 0 && data.underWay.length === 0
          ? empty()
          : listed(data),
  };
};

function head(): View {
  return h(
    'div.head',
    h('h1', 'Pipelines'),
    h('div.actions', h('a.button', { href: '#/new' }, 'New pipeline')),
  );
}

function loading(): View {
  return h(
    'ul.rows.pipelines',
    { 'aria-busy': 'true', 'aria-label': 'Loading' },
    [150, 110, 90].map((width) =>
      h(
        'li',
        [width, 70, 190, 120, 120, 60].map((w) => h('span', h('span.ghost', { css: { '--w': `${w}px` } }))),
      ),
    ),
  );
}

function empty(): Child {
  return [
    h('h1.sr', 'Pipelines'),
    h(
      'div.empty',
      h('h2', 'No pipeline yet'),
      h(
        'p',
        'A pipeline is a model and what you expect of it: its classes and labels, and the accuracy that is good enough.',
      ),
      h('div.actions', h('a.button.primary', { href: '#/new' }, 'New pipeline')),
      h(
        'p.small',
        'inferdrop pipeline put FOLDER makes one of a folder with pipeline.json and model.tar.gz.',
      ),
    ),
  ];
}

function listed({ underWay, pipelines }: PipelinesData): Child {
  const nowMs = Date.now();
  return [
    head(),
    underWay.length > 0 &&
      h(
        'section',
        { 'aria-labelledby': 'live', key: 'live' },
        h('h2#live.sr', 'Under way'),
        h(
          'ul.rows.live',
          underWay.map((row) => liveRow(row, nowMs)),
        ),
      ),
    h(
      'section',
      { 'aria-labelledby': 'all', key: 'all', class: underWay.length > 0 ? 'after-live' : '' },
      h('h2#all.sr', 'All pipelines'),
      h(
        'div.colhead',
        { 'aria-hidden': 'true' },
        ['Pipeline', 'Accuracy', 'Last 24 drops', 'Last run', 'Serves'].map((title) => h('span', title)),
        h('span.num', 'Cost today'),
      ),
      h(
        'ul.rows.pipelines',
        pipelines.map((row) => pipelineRow(row, nowMs)),
      ),
    ),
  ];
}

/** A run under way in one line. */
function liveRow(row: RunRow, nowMs: number): View {
  const { run, verdict, step, progress, startedAt } = row;
  const [shape, word] = stateOf(verdict, step);
  const share = progress === null || progress.total === 0 ? null : progress.done / progress.total;
  return h(
    'li',
    { key: run },
    h('span', h('a.go', { href: addressOfRun(run) }, run)),
    h(
      'span',
      state(shape, word),
      ' ',
      progress !== null &&
        h(
          'span.muted',
          `${progress.approximate ? '≈ ' : ''}${grouped(progress.done)} of ${grouped(progress.total)}`,
        ),
      share !== null && meter(share, `${percent(share, 0)} predicted`),
    ),
    h('span.num'),
    h('span.num.muted', startedAt === null ? '' : duration((nowMs - Date.parse(startedAt)) / 1000)),
  );
}

function pipelineRow(row: PipelineRow, nowMs: number): View {
  const { pipeline, settings, runs, endpoint, todayUsd } = row;
  const judged = runs.find(({ accuracy }) => accuracy !== null);
  const [last] = runs;
  return h(
    'li',
    { key: pipeline },
    h(
      'span.two',
      h('a.go', { href: `#/pipeline/${encodeURIComponent(pipeline)}` }, pipeline),
      h('small', described(settings)),
    ),
    h(
      'span',
      h(
        'span',
        { class: judged === undefined ? 'figure muted' : 'figure' },
        typeof judged?.accuracy === 'number' ? percent(judged.accuracy) : '–',
      ),
      h(
        'span.small',
        judged === undefined
          ? noAccuracy(runs)
          : judged.interval === null
            ? ''
            : `${percent(judged.interval.low)} to ${percent(judged.interval.high)}`,
      ),
    ),
    h('span.spark', sparkline(runs, settings?.minAccuracy ?? null)),
    h('span.two.small.wrap', last === undefined ? h('span.muted', 'none') : lastRun(last, nowMs)),
    h('span.two.small', h('span.label', 'serves '), serves(endpoint, settings, nowMs)),
    h(
      'span.two.num.small',
      h('span.label', 'today '),
      h('b', dollars(todayUsd)),
      ' ',
      settings !== null &&
        settings.maxCostUsdPerDay !== null &&
        h('small', `of ${dollars(settings.maxCostUsdPerDay)}`),
    ),
  );
}

/** Reason for which no run of a pipeline has an accuracy. */
function noAccuracy(runs: PipelineRow['runs']): string {
  if (runs.length === 0) return 'no run yet';
  return runs.some(({ verdict }) => verdict === 'completed' || verdict === 'passed')
    ? 'no labels'
    : 'no result yet';
}

/** Words for a pipeline, in one line. */
export function described(settings: PipelineRow['settings']): string {
  if (settings === null) return 'pipeline.json cannot be read';
  const { classes, framework, frameworkVersion, trains } = settings;
  return [
    classes === null ? 'classes of a file' : plural(classes, 'class').replace(/classs$/, 'classes'),
    `${FRAMEWORKS[framework] ?? framework} ${frameworkVersion}`,
    ...(trains ? ['trains'] : []),
  ].join(', ');
}

const FRAMEWORKS: Readonly<Record<string, string>> = {
  tensorflow: 'TensorFlow',
  pytorch: 'PyTorch',
  onnx: 'ONNX',
};

function lastRun({ run, verdict, step, endedAt }: RunRow, nowMs: number): Child {
  const [, drop = run] = run.split('/');
  return [
    state(...stateOf(verdict, step)),
    h(
      'small',
      { title: endedAt === null ? run : `${run}, ${moment(endedAt)}` },
      h('bdi', drop),
      endedAt !== null && `, ${ago(endedAt, nowMs)}`,
    ),
  ];
}

/** State of a pipeline's endpoint, in two lines. */
export function serves(
  endpoint: EndpointRow | null,
  settings: PipelineRow['settings'],
  nowMs: number,
): Child {
  if (endpoint === null) {
    const why = settings?.deploy === 'never' ? 'endpoint.deploy is “never”' : '';
    return [state('off', 'nothing'), h('small', why)];
  }
  const { status, expiresAt, candidate, change } = endpoint;
  const until =
    expiresAt === null
      ? 'until it is deleted'
      : `until ${clock(expiresAt, nowMs)}, in ${left(expiresAt, nowMs)}`;
  if (candidate !== null) return [state('running', 'being tested'), h('small', 'next to this one')];
  if (change !== null)
    return [
      state('running', change.action === 'deploy' ? 'being deployed' : 'being deleted'),
      h('small', until),
    ];
  return [
    state(
      status === 'InService' ? 'passed' : status === 'gone' ? 'failed' : 'running',
      ENDPOINT_WORDS[status] ?? status,
    ),
    h('small', until),
  ];
}

/** SageMaker's states of an endpoint, for people. */
export const ENDPOINT_WORDS: Readonly<Record<string, string>> = {
  InService: 'in service',
  Creating: 'being created',
  Updating: 'being updated',
  SystemUpdating: 'being updated',
  RollingBack: 'being rolled back',
  Deleting: 'being deleted',
  Failed: 'failed',
  gone: 'gone',
};
