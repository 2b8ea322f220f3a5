import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import { dollars } from '../../report/figures.ts';
import { connect } from '../application.ts';
import type { Command } from '../command.ts';
import type { Column } from '../table.ts';
import { toTable } from '../table.ts';
import { visible } from '../terminal.ts';

const IndexEntry = z.object({
  run: z.string(),
  status: z.string(),
  endedAt: z.string(),
  total: z.number(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nullable(),
  gate: z.string(),
});
type IndexEntry = z.infer<typeof IndexEntry>;

const COLUMNS: readonly Column<IndexEntry>[] = [
  { title: 'ENDED (UTC)', text: ({ endedAt }) => endedAt.slice(0, 19).replace('T', ' ') },
  { title: 'RUN', text: ({ run }) => visible(run) },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'INPUTS', text: ({ total }) => total.toLocaleString('en-US'), align: 'right' },
  {
    title: 'ACCURACY',
    text: ({ accuracy }) => (accuracy === null ? '–' : `${(accuracy * 100).toFixed(2)} %`),
    align: 'right',
  },
  {
    title: 'COST',
    text: ({ costUsd }) => (costUsd === null ? '–' : dollars(costUsd)),
    align: 'right',
  },
  { title: 'GATE', text: ({ gate }) => gate },
];

/** `inferdrop runs`: what has ended, newest first. */
export function runs(options: {
  readonly stage: string;
  readonly pipeline: string | undefined;
  readonly limit: number;
  readonly json: boolean;
}): Command {
  return async (terminal) => {
    const { store } = await connect(options.stage);
    const pipelines = options.pipeline === undefined ? await allPipelines(store) : [options.pipeline];
    const found = (
      await Promise.all(pipelines.map((pipeline) => newest(store, pipeline, options.limit)))
    ).flat();
    const rows = found.sort((a, b) => (a.endedAt < b.endedAt ? 1 : -1)).slice(0, options.limit);
    if (options.json) terminal.print(JSON.stringify(rows));
    else if (rows.length === 0)
      terminal.note(`no run${options.pipeline === undefined ? '' : ` of ${options.pipeline}`} has ended yet`);
    else for (const line of toTable(rows, COLUMNS)) terminal.print(line);
    return 0;
  };
}

async function allPipelines(store: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const folder of store.listFolders('index/')) names.push(folder.split('/').at(-2) ?? folder);
  return names;
}

/** The index is named so that the newest comes first. */
async function newest(store: ObjectStore, pipeline: string, limit: number): Promise<readonly IndexEntry[]> {
  const { objects } = await store.listPage(bucketLayout.index(pipeline), { limit });
  return Promise.all(
    objects.map(async ({ key }) => {
      const text = await store.readText(key);
      return IndexEntry.parse(JSON.parse(text ?? 'null'));
    }),
  );
}
