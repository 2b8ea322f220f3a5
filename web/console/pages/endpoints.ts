import type { EndpointRow } from '../../../src/api/console/endpoint-row.ts';
import { clock, left } from '../../../src/text/dates.ts';
import { coordinate, dollars, NOTHING_BILLED } from '../../../src/text/figures.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import { watch } from '../data/watch.ts';
import type { Frame, OpenPage } from '../page.ts';
import { button } from '../parts/button.ts';
import { addressOfRun, state } from '../parts/state.ts';
import { type Child, h, type View } from '../view/view.ts';
import { ENDPOINT_WORDS } from './pipelines.ts';

/** The endpoints: state, cost, and time that is left. */
export const openEndpoints: OpenPage = (_, frame) => {
  let rows: readonly EndpointRow[] | undefined;
  let error: string | undefined;
  const doing = new Set<string>();
  const close = watch<readonly EndpointRow[]>('/live/endpoints', frame, {
    seen(value) {
      // Once the stack shows the change, it speaks for itself.
      for (const { pipeline, change } of value) if (change !== null) doing.delete(pipeline);
      rows = value;
    },
  });
  const remove = async (pipeline: string): Promise<void> => {
    doing.add(pipeline);
    error = undefined;
    frame.redraw();
    await ask(`/api/endpoints/${segment(pipeline)}`, { method: 'DELETE' }).catch((thrown: unknown) => {
      doing.delete(pipeline);
      error = reasonOf(thrown);
      frame.redraw();
    });
  };
  return {
    title: () => 'Endpoints',
    close,
    view: () => [
      h(
        'div.head',
        h('h1', 'Endpoints'),
        h('p.lead', 'What answers now, and what it costs until it expires.'),
      ),
      error !== undefined && h('p.alarm', { role: 'alert' }, error),
      rows !== undefined && (rows.length === 0 ? none() : listed(rows, doing, frame, remove)),
    ],
  };
};

function none(): View {
  return h(
    'div.empty',
    h('h2', 'Nothing is deployed'),
    h('p', 'Nothing is billed by the hour. A run that passed its gate can be deployed from its page.'),
    h('div.actions', h('a.button.primary', { href: '#/runs' }, 'Choose a run')),
  );
}

function listed(
  rows: readonly EndpointRow[],
  doing: ReadonlySet<string>,
  frame: Frame,
  remove: (pipeline: string) => Promise<void>,
): Child {
  const hourly = rows.reduce((sum, { hourlyUsd }) => sum + (hourlyUsd ?? 0), 0);
  // What is scaled may run more instances now, and the price list has not every type.
  const isLeast = rows.some(
    (row) => row.maxHourlyUsd !== null || (row.hourlyUsd === null && !row.isPaidByUse),
  );
  return [
    h(
      'ul.rows.endpoints',
      rows.map((row) => endpointRow(row, doing.has(row.pipeline), frame, remove)),
    ),
    h(
      'p.small.muted.total',
      `Together ${isLeast ? 'at least ' : ''}${dollars(hourly)} an hour` +
        `${frame.place.local ? ` on AWS; ${NOTHING_BILLED}` : ''}. Endpoints do not count towards a pipeline’s day.`,
    ),
  ];
}

function endpointRow(
  row: EndpointRow,
  isBusy: boolean,
  frame: Frame,
  remove: (pipeline: string) => Promise<void>,
): View {
  const {
    pipeline,
    run,
    agrees,
    status,
    hardware,
    hourlyUsd,
    maxHourlyUsd,
    deployedAt,
    expiresAt,
    idleHours,
    candidate,
    change,
  } = row;
  const nowMs = Date.now();
  const shape =
    status === 'InService' ? 'passed' : status === 'Failed' || status === 'gone' ? 'failed' : 'running';
  return h(
    'li',
    { key: pipeline },
    h(
      'span.two',
      h('b', pipeline),
      h(
        'small',
        run === null
          ? 'no model yet'
          : ['model of ', h('a', { href: addressOfRun(run) }, run.slice(pipeline.length + 1))],
        agrees !== null && [
          ', and of ',
          h('a', { href: addressOfRun(agrees) }, agrees.slice(pipeline.length + 1)),
        ],
      ),
    ),
    h(
      'span.two.small',
      state(shape, ENDPOINT_WORDS[status] ?? status),
      h('small', `${hardware ?? ''}${row.instances === 0 ? '; asleep, the next request wakes it' : ''}`),
    ),
    h('span.small', life({ deployedAt, expiresAt, idleHours }, nowMs)),
    h(
      'span.two.num.small',
      h('b', costSoFar(row, nowMs)),
      h(
        'small',
        hourlyUsd === null
          ? row.isPaidByUse
            ? 'by use'
            : 'price not known'
          : `${dollars(hourlyUsd)}${maxHourlyUsd === null ? '' : ` to ${dollars(maxHourlyUsd)}`} an hour`,
      ),
    ),
    h(
      'span.actions',
      button(
        'button',
        isBusy ? 'Deleting…' : 'Delete',
        () =>
          frame.confirm({
            title: `Delete the endpoint of ${pipeline}?`,
            text: `POST /predict/${pipeline} answers 404 from then on. The model and its runs are kept; it can be deployed again.`,
            go: 'Delete endpoint',
            keep: 'Keep',
            isDanger: true,
            typed: pipeline,
            act: () => void remove(pipeline),
          }),
        isBusy || change !== null,
      ),
    ),
    (candidate !== null || change !== null) &&
      h(
        'p.verdict',
        state(
          'running',
          candidate !== null
            ? 'A new model is being tested next to it'
            : change?.action === 'delete'
              ? 'It is being deleted'
              : 'It is being deployed',
        ),
        change?.run !== null && change?.run !== undefined && ` (${change.run})`,
        candidate !== null && '. Callers are answered as before meanwhile.',
      ),
  );
}

function life(
  { deployedAt, expiresAt, idleHours }: Pick<EndpointRow, 'deployedAt' | 'expiresAt' | 'idleHours'>,
  nowMs: number,
): Child {
  const idle = idleHours === null ? '' : `; sooner if nothing asks it for ${idleHours} h`;
  if (expiresAt === null) return `until it is deleted${idle}`;
  const whole = Date.parse(expiresAt) - Date.parse(deployedAt);
  const share = whole <= 0 ? 0 : Math.max(0, Math.min(1, (Date.parse(expiresAt) - nowMs) / whole));
  return [
    `${left(expiresAt, nowMs)} left, until ${clock(expiresAt, nowMs)}${idle}`,
    h('span.meter', { css: { '--v': `${coordinate(100 * share)}%` } }),
  ];
}

/** Least cost of the present endpoint: the price of its fewest instances since its last deployment. */
function costSoFar({ hourlyUsd, deployedAt }: EndpointRow, nowMs: number): string {
  // The least of an endpoint that scales to zero tells nothing.
  if (hourlyUsd === null || hourlyUsd === 0) return '';
  const hours = Math.max(0, nowMs - Date.parse(deployedAt)) / 3_600_000;
  return `${dollars(hourlyUsd * hours)} so far`;
}
