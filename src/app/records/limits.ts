import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { closeEnded, emptyLedger, PipelineLedger } from '../../plan/decide/pipeline-ledger.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** Runs of a pipeline that are under way or waiting, and the cost of the day's runs: every run of the pipeline writes it. */
export const ledgerJson = jsonDocument({
  key: bucketLayout.ledger,
  schema: PipelineLedger,
  write: 'exchange',
  indent: 2,
});

/** A write fails only if another run's succeeded; after this many failures the caller decides. */
const MAX_WRITES = 10;

/**
 * Changes the ledger of a pipeline by its ETag, once its day has begun; undefined if other runs were faster each time.
 *
 * @param endsOf looks up the costs of runs that have ended, which only a run that takes a place needs
 */
export async function changeLedger<T>(
  pipeline: string,
  { store, clock }: { readonly store: ObjectStore; readonly clock: () => Date },
  change: (ledger: PipelineLedger) => { readonly ledger: PipelineLedger; readonly answer: T },
  endsOf: (ledger: PipelineLedger) => Promise<ReadonlyMap<string, number | null>> = () =>
    Promise.resolve(new Map()),
): Promise<T | undefined> {
  const document = ledgerJson(pipeline);
  for (let write = 0; write < MAX_WRITES; write++) {
    const now = clock();
    const found = await document.open(store);
    const before = found?.value ?? emptyLedger(now);
    const { ledger, answer } = change(closeEnded(before, await endsOf(before), now));
    if (ledger === before) return answer;
    const isWritten =
      found === undefined
        ? await document.create(store, ledger)
        : await document.replace(store, ledger, found.etag);
    if (isWritten) return answer;
  }
  return undefined;
}

/** `state/sweep.json`: how far the daily sweep has come. */
const SweepPosition = z.object({
  schema: z.literal(1),
  /** Start of the last complete pass over all drops. */
  lastPassAt: z.iso.datetime().optional(),
  /** The pass that is under way: when it began, and the key after which it continues. */
  pass: z.object({ startedAt: z.iso.datetime(), after: z.string() }).optional(),
});

/** Written by the sweep at its end, also when its time is up. */
export const sweepJson = jsonDocument({
  key: bucketLayout.sweep,
  schema: SweepPosition,
  write: 'replace',
  indent: 2,
});
