import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';
import { isPipelineName, RunId } from '../../run/run-id.ts';
import type { RunKind } from '../../run/run-kind.ts';
import { jsonDocument } from './document.ts';

/** An entry of `index/<pipeline>/`: a run in one line. */
const RunSummary = z.object({
  schema: z.literal(1),
  run: RunId,
  status: z.string(),
  endedAt: z.iso.datetime(),
  total: z.int().nonnegative(),
  correct: z.int().nonnegative().nullable(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nullable(),
  gate: z.enum(['passed', 'failed', 'none']),
  /** The run whose predictions this one has scored again. */
  rescoreOf: RunId.nullable().default(null),
  /** Inputs of the drop, where the run has predicted a sample of them; `total` counts the sample. */
  sampleOf: z.int().positive().nullable().default(null),
  /** Records that `accuracy` is a share of; null where there is none, and in entries of an earlier release. */
  labelled: z.int().nonnegative().nullable().default(null),
  /** Duration, as the report has it; null in entries of an earlier release. */
  seconds: z.number().nonnegative().nullable().default(null),
});
export type RunSummary = z.infer<typeof RunSummary>;

const CONCURRENT_READS = 8;

/** A run's entry; listed in the order of their keys, entries are the newest first. */
export const runSummaryJson = jsonDocument({
  key: bucketLayout.indexEntry,
  schema: RunSummary,
  write: 'replace',
});
const listedSummary = jsonDocument({ key: (key: string) => key, schema: RunSummary, write: 'replace' });

/** Runs of a pipeline and kind that have ended, newest first. An entry that S3 removes meanwhile is skipped. */
export async function* newestRuns(
  store: ObjectStore,
  kind: RunKind,
  pipeline: string,
  limit: number,
): AsyncGenerator<RunSummary> {
  const { objects } = await store.listPage(bucketLayout.index(kind, pipeline), { limit });
  const entries = inOrder(objects, CONCURRENT_READS, ({ key }) => listedSummary(key).read(store));
  for await (const [, entry] of entries) if (entry !== undefined) yield entry;
}

/** The pipelines that have an ended run of the kind. */
export async function pipelinesWithRuns(store: ObjectStore, kind: RunKind): Promise<readonly string[]> {
  const names = await Array.fromAsync(store.listFolders(bucketLayout.indexes(kind)), folderName);
  return names.filter(isPipelineName);
}

const Figures = z.object({
  status: z.string(),
  total: z.int().nonnegative(),
  correct: z.int().nullable(),
  errors: z.int(),
  accuracy: z.number().nullable(),
  costUsd: z.number().nonnegative().nullable(),
  gate: z.object({
    verdict: z.enum(['passed', 'failed', 'none']),
    explanation: z.string(),
    isSet: z.boolean(),
  }),
  /** Inputs, or records, without a usable prediction. */
  errorsByReason: z.record(z.string(), z.int().nonnegative()),
});

/** Cost of a run, the same in the reports of every kind of run. */
export const reportCost = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures.pick({ costUsd: true }),
  write: 'replace',
});

/**
 * The main figures of a report. Apart from {@link reportJson}, so that the function of the API does
 * not carry the schema of a whole report.
 */
export const reportFigures = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures,
  write: 'replace',
});

/** Result of a training. Apart from the whole report, so that the function of the API does not carry its schema. */
export const trainingFigures = jsonDocument({
  key: bucketLayout.reportJson,
  schema: z.object({
    status: z.string(),
    costUsd: z.number().nullable(),
    evaluation: z.object({ verdict: z.string(), accuracy: z.number().nullable() }).nullable(),
    promotion: z.object({ promotion: z.string(), reason: z.string() }).nullable(),
    lineage: z.object({ model: z.object({ sha256: z.string() }).nullable() }),
  }),
  write: 'replace',
});

/** Where a generation took its files from. Apart from the whole document, so that the function of the API does not carry its schema. */
export const frozenSource = jsonDocument({
  key: bucketLayout.frozen,
  schema: z.object({ objects: z.number(), sourceBucket: z.string(), sourcePrefix: z.string() }),
  write: 'once',
});
