import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { ReportedLabelChanges } from '../../label/label-changes.ts';
import { ReportLedger } from '../../report/report-ledger.ts';
import { bucketLayout, folderName, runOfEntry } from '../../run/bucket-layout.ts';
import { isTrial } from '../../run/generation.ts';
import { isPipelineName, RunId, type RunParts } from '../../run/run-id.ts';
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
  /** Absent if an earlier build wrote the entry. With it and `none` the gate has no verdict. */
  gateIsSet: z.boolean().optional(),
  /** The run with the predictions that this one has scored again. */
  rescoreOf: RunId.nullable(),
  /** Inputs of the drop, if the run has predicted a sample of them; `total` counts the sample. */
  sampleOf: z.int().positive().nullable(),
  /** Records that `accuracy` is a share of; null without an accuracy. */
  labeled: z.int().nonnegative().nullable(),
  /** Duration, as the report has it. */
  seconds: z.number().nonnegative().nullable(),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** Entries read at once by a search, which may end at an early one, and by a list: a page of it in one round trip to S3. */
const SEARCH_READS = 8;
const LIST_READS = 48;

/** Names that are listed at once in search of runs that are no trials: a probe has a dozen trials and more. */
export const LISTED_RUNS = 100;

/** A run's entry; listed in the order of their keys, entries are the newest first. */
export const runSummaryJson = jsonDocument({
  key: bucketLayout.indexEntry,
  schema: RunSummary,
  write: 'replace',
});
const listedSummary = jsonDocument({ key: (key: string) => key, schema: RunSummary, write: 'elsewhere' });

/** An ended run as the listing of its entry tells of it. */
export interface ListedRun {
  readonly run: RunParts;
  readonly key: string;
  /** Time at which its entry was written. */
  readonly writtenAt: Date;
}

/** Runs of a pipeline and kind that have ended, newest first, by one request. */
export async function listRuns(
  store: ObjectStore,
  kind: RunKind,
  pipeline: string,
  limit: number,
): Promise<readonly ListedRun[]> {
  const { objects } = await store.listPage(bucketLayout.index(kind, pipeline), { limit });
  return objects.flatMap(({ key, lastModified }) => {
    const run = runOfEntry(kind, pipeline, key);
    return run === undefined ? [] : [{ run, key, writtenAt: lastModified }];
  });
}

/** Runs of a pipeline and kind that have ended, newest first. */
export async function* newestRuns(
  store: ObjectStore,
  kind: RunKind,
  pipeline: string,
  limit: number,
): AsyncGenerator<RunSummary> {
  const { objects } = await store.listPage(bucketLayout.index(kind, pipeline), { limit });
  yield* readEntries(store, objects, SEARCH_READS);
}

/** The newest runs of drops of a pipeline that have ended, newest first: without the trials of its probes. */
export async function* newestDrops(
  store: ObjectStore,
  pipeline: string,
  limit: number,
): AsyncGenerator<RunSummary> {
  const listed = await listRuns(store, 'inference', pipeline, LISTED_RUNS);
  yield* readEntries(store, listed.filter(({ run }) => !isTrial(run.generation)).slice(0, limit));
}

/** The entries of listed runs, in their order. An entry that S3 removes meanwhile is skipped. */
export async function* readEntries(
  store: ObjectStore,
  listed: readonly { readonly key: string }[],
  atOnce = LIST_READS,
): AsyncGenerator<RunSummary> {
  const entries = inOrder(listed, atOnce, ({ key }) => listedSummary(key).read(store));
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
  isDoubted: z.boolean(),
  labelChanges: ReportedLabelChanges.nullable(),
  /** Inputs, or records, without a usable prediction. */
  errorsByReason: z.record(z.string(), z.int().nonnegative()),
});

/** Cost of a run, the same in the reports of every kind of run. */
export const reportCost = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures.pick({ costUsd: true }),
  write: 'elsewhere',
});

/** Figures of a run that another one is compared with. */
export const baselineFigures = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures.pick({ total: true, isDoubted: true }).extend({
    ledger: ReportLedger.pick({ asked: true, setAside: true, copies: true }).nullable(),
  }),
  write: 'elsewhere',
});

/**
 * The main figures of a report. Apart from {@link reportJson}, so that the function of the API does
 * not carry the schema of a whole report.
 */
export const reportFigures = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Figures,
  write: 'elsewhere',
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
  write: 'elsewhere',
});

/** Where a generation took its files from. Apart from the whole document, so that the function of the API does not carry its schema. */
export const frozenSource = jsonDocument({
  key: bucketLayout.frozen,
  schema: z.object({ objects: z.number(), sourceBucket: z.string(), sourcePrefix: z.string() }),
  write: 'elsewhere',
});
