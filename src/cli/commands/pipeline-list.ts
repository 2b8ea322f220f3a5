import { listServed, type ServedLine } from '../../app/endpoint/list-served.ts';
import { configuredPipelines } from '../../app/records/configured-pipelines.ts';
import { newestDrops, type RunSummary } from '../../app/records/run-index.ts';
import { percent } from '../../text/figures.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { statusColor } from '../show/status-color.ts';
import { type Column, right, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';

interface PipelineLine {
  readonly pipeline: string;
  /** Null until a run has ended. */
  readonly lastRun: RunSummary | null;
  readonly endpoint: Pick<ServedLine, 'endpoint' | 'status' | 'run'> | null;
}

const COLUMNS: readonly Column<PipelineLine>[] = [
  { title: 'PIPELINE', text: ({ pipeline }) => visible(pipeline) },
  { title: 'LAST RUN', text: ({ lastRun }) => visible(lastRun?.run ?? '–') },
  { title: 'STATUS', text: ({ lastRun }) => lastRun?.status ?? '–', isStatus: true },
  right('ACCURACY', ({ lastRun }) =>
    typeof lastRun?.accuracy === 'number' ? percent(lastRun.accuracy, 2) : '–',
  ),
  { title: 'SERVES', text: ({ endpoint }) => visible(endpoint?.run ?? '–') },
  { title: 'ENDPOINT', text: ({ endpoint }) => endpoint?.status ?? '–', isStatus: true },
];

/** `inferdrop pipeline list`: pipelines, the end of their newest runs, and what serves them. */
export const command = defineCommand({
  about:
    'Lists the pipelines, how the newest run of each has ended, and the run with the model that serves it.',
  examples: ['inferdrop pipeline list'],
  page: 'docs/operate.md',
  options: { ...JSON_FORM, ...STAGE },
  async run({ options }, terminal) {
    const application = await connect(options.stage);
    const { store } = application;
    const served = await listServed(application);
    const lines = await Promise.all(
      (await configuredPipelines(store)).map(async (pipeline): Promise<PipelineLine> => {
        const [lastRun = null] = await Array.fromAsync(newestDrops(store, pipeline, 1));
        const endpoint = served.find((one) => one.pipeline === pipeline) ?? null;
        return { pipeline, lastRun, endpoint };
      }),
    );
    if (options.json) terminal.print(JSON.stringify(lines));
    else if (lines.length === 0) terminal.note('there are no pipelines yet; inferdrop pipeline put FOLDER');
    else
      for (const line of toTable(lines, COLUMNS, (cell) => statusColor(cell, terminal.color)))
        terminal.print(line);
    return 0;
  },
});
