import { newestRuns, pipelinesWithRuns, type RunSummary } from '../../app/records/run-index.ts';
import { dollars } from '../../report/figures.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { type Column, toTable } from '../table.ts';
import { visible } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const COLUMNS: readonly Column<RunSummary>[] = [
  { title: 'ENDED (UTC)', text: ({ endedAt }) => endedAt.slice(0, 19).replace('T', ' ') },
  { title: 'RUN', text: ({ run }) => visible(run) },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'INPUTS', text: ({ total }) => total.toLocaleString('en-US'), align: 'right' },
  {
    title: 'ACCURACY',
    text: ({ accuracy }) => (accuracy === null ? '–' : `${(accuracy * 100).toFixed(2)} %`),
    align: 'right',
  },
  { title: 'COST', text: ({ costUsd }) => (costUsd === null ? '–' : dollars(costUsd)), align: 'right' },
  { title: 'GATE', text: ({ gate }) => gate },
];

/** `inferdrop runs`: lists ended runs, newest first. */
export const command = defineCommand({
  usage: `inferdrop runs [--pipeline NAME] [--limit N] [--json]
    Runs and trainings that have ended, newest first.`,
  options: {
    pipeline: { type: 'string' },
    limit: { type: 'string', default: '20' },
    ...JSON_FORM,
    ...STAGE,
  },
  async run({ options }, terminal) {
    const { pipeline } = options;
    const limit = toCount(options.limit);
    const { store } = await connect(options.stage);
    const kinds = await Promise.all(
      ([undefined, 'training'] as const).map(async (kind) => {
        const pipelines = pipeline === undefined ? await pipelinesWithRuns(store, kind) : [pipeline];
        return Promise.all(pipelines.map((one) => Array.fromAsync(newestRuns(store, one, limit, kind))));
      }),
    );
    const found = kinds.flat();
    const rows = found
      .flat()
      .sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1))
      .slice(0, limit);
    if (options.json) terminal.print(JSON.stringify(rows));
    else if (rows.length === 0)
      terminal.note(`no run${pipeline === undefined ? '' : ` of ${pipeline}`} has ended yet`);
    else for (const line of toTable(rows, COLUMNS)) terminal.print(line);
    return 0;
  },
});

function toCount(text: string): number {
  const limit = Number(text);
  // S3 returns at most one page of 1,000.
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new UsageError(`--limit must be 1..1000, is ${text}`);
}
