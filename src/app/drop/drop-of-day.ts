import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { readMaxDropsPerDay } from '../../drop/drop-input.ts';
import type { DropProblem } from '../../drop/frozen.ts';
import { countDrop } from '../../plan/decide/pipeline-ledger.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toDropId } from '../../run/run-id.ts';
import { changeLedger } from '../records/limits.ts';

/**
 * Counts a drop against its pipeline's daily limit. A refused drop gets the problems to report, which only the first refusal of the day
 * has; `busy` if other runs changed the ledger each time. A step that is repeated after a crash counts twice.
 */
export async function reserveDropOfDay(
  run: RunParts,
  { store, clock }: { readonly store: ObjectStore; readonly clock: () => Date },
): Promise<'taken' | 'busy' | readonly DropProblem[]> {
  const max = readMaxDropsPerDay(await store.readText(bucketLayout.pipelineConfig(run.pipeline)));
  const counted = await changeLedger(run.pipeline, { store, clock }, (before) => {
    const { ledger, answer } = countDrop(before, max);
    return { ledger, answer: { answer, day: ledger.day } };
  });
  if (counted === undefined) return 'busy';
  if (counted.answer === 'counted') return 'taken';
  return counted.answer === 'refused' ? [] : [refusal(run, max, counted.day)];
}

function refusal(run: RunParts, max: number | null, day: string): DropProblem {
  return {
    file: 'pipeline.json',
    field: 'limits.maxDropsPerDay',
    value: String(max),
    message:
      `allows ${max} drops a day, and ${toDropId(run)} is the first one of ${day} (UTC) beyond them: it and all that ` +
      'follow on this day are not taken, ' +
      `and only this one has a message. Upload a file of each again tomorrow, or raise limits.maxDropsPerDay in pipeline.json first`,
  };
}
