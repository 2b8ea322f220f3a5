import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { currentRound } from '../../plan/current-round.ts';
import { partOfEntry } from '../../plan/part-of-entry.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import { toJobName } from '../../transform/job-name.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { SAMPLE_SIZE } from '../../transform/progress.ts';
import { smallerBundles } from '../../transform/request-limits.ts';
import { readReconciled } from '../records/reconciled.ts';
import { writeSentInputs } from '../records/sent-inputs.ts';

/** Inputs from all over a job with only refused requests: if each of them is also refused, so is the rest. */
const SPREAD_INPUTS = 64;

/** Facts that a further attempt is made from. */
interface RetrySources {
  readonly plan: Plan;
  readonly next: 'retry' | 'first-half' | 'second-half' | 'spread';
  readonly part: number;
  readonly attempt: number;
  readonly last: JobRecord;
  readonly outputsBefore: number;
  /** Inputs without an answer. */
  readonly missing: number;
  readonly at: Date;
}

/** Writes the inputs of an attempt for the inputs without output in reconciled.jsonl, and returns its record; undefined if none is left. */
export async function planRetry(
  store: ObjectStore,
  run: RunParts,
  { plan, next, part, attempt, last, outputsBefore, missing, at }: RetrySources,
): Promise<JobRecord | undefined> {
  const partOf = partOfEntry(plan);
  const { firstPart } = currentRound(plan);
  const half = Math.ceil(last.objects / 2);
  const step = Math.max(1, last.objects / SPREAD_INPUTS);
  const chosen = { objects: 0, firstKey: '', lastKey: '', sample: new Array<string>() };
  async function* inputs(): AsyncGenerator<Input> {
    let place = 0;
    for await (const entry of readReconciled(store, run, 'model-error')) {
      if (entry.certain === true) continue;
      const own = partOf(entry);
      if (next === 'retry' ? own < firstPart : own !== part) continue;
      if (next === 'second-half' && compareByteOrder(entry.name, last.lastKey) <= 0) continue;
      if (next === 'first-half' && chosen.objects >= half) break;
      if (next === 'spread' && place++ < chosen.objects * step) continue;
      if (chosen.objects === 0) chosen.firstKey = entry.name;
      if (chosen.sample.length < SAMPLE_SIZE) chosen.sample.push(entry.name);
      chosen.lastKey = entry.name;
      chosen.objects += 1;
      yield entry;
    }
  }
  const input = bucketLayout.jobInput(run, attempt);
  const isSmaller = next === 'retry' || next === 'spread';
  // Inputs that were sent again with others, and have no answer, now go one by one.
  const together = last.kind === 'retry' || next === 'spread' ? 1 : missing;
  const bundle = isSmaller && plan.bundle !== null ? smallerBundles(plan.bundle, together) : plan.bundle;
  await writeSentInputs(store, run, { ...plan, bundle }, { key: input, inputs: inputs() });
  if (chosen.objects === 0) return undefined;
  return {
    schema: 1,
    run: plan.run,
    attempt,
    kind: next,
    part,
    jobName: toJobName({ bucket: store.bucket, run: plan.run, plannedAt: plan.createdAt, attempt }),
    engine: engineRules(last.engine).gentler(
      last.engine,
      plan.jobs.map((job) => job.engine),
      chosen.objects,
    ),
    input,
    ...chosen,
    outputsBefore,
    status: 'Planned',
    createdAt: at.toISOString(),
    costUsd: null,
  };
}
