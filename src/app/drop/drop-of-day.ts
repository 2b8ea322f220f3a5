import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { readMaxDropsPerDay } from '../../drop/drop-input.ts';
import type { DropProblem } from '../../drop/frozen.ts';
import { closeEnded, countDrop, emptyLedger } from '../../plan/pipeline-ledger.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toDropId } from '../../run/run-id.ts';
import { ledgerJson } from '../records/limits.ts';

/** A write fails only if another run's succeeded; after this many failures the drop asks again later. */
const MAX_WRITES = 10;

/**
 * Counts a drop against its pipeline's daily limit. A refused drop gets the problems to report, which only the first refusal of the day
 * has; `busy` if other runs changed the ledger each time. A step that is repeated after a crash counts twice.
 */
export async function reserveDropOfDay(
  run: RunParts,
  { store, clock }: { readonly store: ObjectStore; readonly clock: () => Date },
): Promise<'taken' | 'busy' | readonly DropProblem[]> {
  const max = readMaxDropsPerDay(await store.readText(bucketLayout.pipelineConfig(run.pipeline)));
  const document = ledgerJson(run.pipeline);
  for (let write = 0; write < MAX_WRITES; write++) {
    const now = clock();
    const found = await document.open(store);
    // Ended runs are only looked up where a run takes a place.
    const { ledger, answer } = countDrop(closeEnded(found?.value ?? emptyLedger(now), new Map(), now), max);
    const isWritten =
      found === undefined
        ? await document.create(store, ledger)
        : await document.replace(store, ledger, found.etag);
    if (!isWritten) continue;
    if (answer === 'counted') return 'taken';
    return answer === 'refused' ? [] : [refusal(run, max, ledger.day)];
  }
  return 'busy';
}

function refusal(run: RunParts, max: number | null, day: string): DropProblem {
  return {
    file: 'pipeline.json',
    field: 'limits.maxDropsPerDay',
    value: String(max),
    message:
      `allows ${max} drops a day, and ${toDropId(run)} is the first one of ${day} (UTC) beyond them: it and all that follow on this day are not taken, ` +
      `and only this one has a message. Upload a file of each again tomorrow, or raise limits.maxDropsPerDay in pipeline.json first`,
  };
}
