import { type RunningRun, runningRuns } from '../../app/progress/running-runs.ts';
import { newestRuns, pipelinesWithRuns, type RunSummary } from '../../app/records/run-index.ts';
import { runningWork } from '../../aws/sagemaker/running-work.ts';
import { RUN_KIND_NAMES } from '../../run/run-kind.ts';
import { utc } from '../../text/dates.ts';
import { dollars, grouped, percent } from '../../text/figures.ts';
import { connect } from '../application.ts';
import { defaulted, defineCommand, JSON_FORM, STAGE, valued } from '../define-command.ts';
import { gateWord } from '../runs/run-result.ts';
import { statusColor } from '../show/status-color.ts';
import { type Column, right, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';
import { UsageError } from '../usage-error.ts';

const COLUMNS: readonly Column<RunSummary>[] = [
  { title: 'ENDED (UTC)', text: ({ endedAt }) => utc(endedAt) },
  {
    title: 'RUN',
    text: ({ run, rescoreOf }) =>
      visible(rescoreOf === null ? run : `${run} (rescore of ${rescoreOf.split('/').at(-1)})`),
  },
  { title: 'STATUS', text: ({ status }) => status, isStatus: true },
  right(
    'INPUTS',
    ({ total, sampleOf }) => `${grouped(total)}${sampleOf === null ? '' : ` of ${grouped(sampleOf)}`}`,
  ),
  right('ACCURACY', ({ accuracy }) => (accuracy === null ? '–' : percent(accuracy, 2))),
  right('COST', ({ costUsd }) => (costUsd === null ? '–' : dollars(costUsd))),
  { title: 'GATE', text: gateWord, isStatus: true },
];

const RUNNING_COLUMNS: readonly Column<RunningRun>[] = [
  { title: 'STARTED (UTC)', text: ({ startedAt }) => utc(startedAt) },
  { title: 'RUN', text: ({ run }) => visible(run) },
  { title: 'STEP', text: ({ step }) => step },
];

/** `inferdrop runs`: lists runs under way and ended ones, newest first. */
export const command = defineCommand({
  about: 'Lists runs and trainings under way, then those that have ended, newest first.',
  examples: ['inferdrop runs', 'inferdrop runs --pipeline cats --limit 5'],
  page: 'docs/operate.md',
  options: {
    pipeline: valued('NAME', 'only of one pipeline'),
    limit: defaulted('20', 'N', 'most lines of each list'),
    ...JSON_FORM,
    ...STAGE,
  },
  async run({ options }, terminal) {
    const { pipeline } = options;
    const limit = toCount(options.limit);
    const { store, executions, machines } = await connect(options.stage);
    const work = runningWork();
    const underWay = await Promise.all(
      RUN_KIND_NAMES.map(async (kind) => {
        const arns = await work.executions(machines.runs[kind]);
        return runningRuns(executions(kind), arns.slice(0, limit), pipeline);
      }),
    );
    const running = underWay.flat();
    const kinds = await Promise.all(
      RUN_KIND_NAMES.map(async (kind) => {
        const pipelines = pipeline === undefined ? await pipelinesWithRuns(store, kind) : [pipeline];
        return Promise.all(pipelines.map((one) => Array.fromAsync(newestRuns(store, kind, one, limit))));
      }),
    );
    const found = kinds.flat();
    const rows = found
      .flat()
      .sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
      .slice(0, limit);
    if (options.json) {
      terminal.print(JSON.stringify([...running, ...rows]));
      return 0;
    }
    if (running.length > 0)
      for (const line of [...toTable(running, RUNNING_COLUMNS), '']) terminal.print(line);
    if (rows.length === 0)
      terminal.note(`no run${pipeline === undefined ? '' : ` of ${pipeline}`} has ended yet`);
    else
      for (const line of toTable(rows, COLUMNS, (cell) => statusColor(cell, terminal.color)))
        terminal.print(line);
    return 0;
  },
});

function toCount(text: string): number {
  const limit = Number(text);
  // S3 returns at most one page of 1,000.
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new UsageError(`--limit must be 1..1000, is ${text}`);
}
