import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { planningOf } from '../../plan/engine/engine-of.ts';
import type { Plan, PlannedJob, PlannedRounds } from '../../plan/plan.ts';
import { roundUsd } from '../../price/round-usd.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { inputsOfLine } from '../../transform/bundle-cutter.ts';
import { type Exclusion, exclusionOf } from '../../transform/exclusion.ts';
import { SAMPLE_SIZE } from '../../transform/progress.ts';
import { splitJobs } from '../../transform/split-jobs.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { readDrawnFrom, writeDrawnUpTo } from '../records/rounds.ts';
import { writeSentInputs } from '../records/sent-inputs.ts';

/** A plan of a run with rounds. */
type PlanInRounds = Plan & { readonly rounds: PlannedRounds };

interface SentInputs {
  objects: number;
  bytes: number;
  readonly excluded: Record<Exclusion, number>;
}

/**
 * Adds the inputs of a further round to the list of earlier ones, and writes the inputs of its jobs. Returns the plan with them,
 * without writing it: until it's written, the round doesn't exist, and a repetition writes the same. Undefined if no input of the
 * round can be sent.
 */
export async function writeRound(
  store: ObjectStore,
  run: RunParts,
  { plan, upTo, attempt }: { readonly plan: PlanInRounds; readonly upTo: number; readonly attempt: number },
): Promise<Plan | undefined> {
  const { rounds } = plan;
  const { seed, of } = rounds;
  const from = rounds.upTo.at(-1) ?? 0;
  const limits = {
    isTooLong: openOutputs(store, run, plan).isTooLong,
    largestAllowedBytes: plan.transform.largestAllowedBytes,
  };
  const sent: SentInputs = { objects: 0, bytes: 0, excluded: { ...plan.excluded } };
  const { drawn } = await writeDrawnUpTo(store, run, { seed, upTo }, (input, cell) => {
    if (cell < from) return;
    const excluded = exclusionOf(input, limits);
    if (excluded !== undefined) {
      sent.excluded[excluded] += 1;
      return;
    }
    sent.objects += 1;
    sent.bytes += input.size;
  });
  if (sent.objects === 0) return undefined;
  async function* sendable(): AsyncGenerator<Input> {
    for await (const input of readDrawnFrom(store, run, { seed, from }))
      if (exclusionOf(input, limits) === undefined) yield input;
  }
  const jobs = await writeJobs(store, run, { plan, sent, inputs: sendable() });
  return {
    ...plan,
    sample: sampleOf(plan, { drawn, of }),
    rounds: { ...rounds, upTo: [...rounds.upTo, upTo], attempts: [...rounds.attempts, attempt] },
    cost: { ...plan.cost, quoteUsd: withRound(plan, jobs) },
    objects: plan.objects + sent.objects,
    bytes: plan.bytes + sent.bytes,
    excluded: sent.excluded,
    jobs: [...plan.jobs, ...jobs],
  };
}

async function writeJobs(
  store: ObjectStore,
  run: RunParts,
  {
    plan,
    sent,
    inputs,
  }: { readonly plan: PlanInRounds; readonly sent: SentInputs; readonly inputs: AsyncGenerator<Input> },
): Promise<PlannedJob[]> {
  const { engine, upTo } = plan.rounds;
  const planning = planningOf(plan.engine.name);
  const jobs: PlannedJob[] = [];
  const each = inputsOfLine(plan.bundle, sent.bytes / Math.max(1, sent.objects));
  for (const objects of splitJobs(sent.objects, planning.objectsOfJob(sent, engine), each)) {
    const part = plan.jobs.length + jobs.length + 1;
    const input = bucketLayout.partInput(run, part);
    const found = { bytes: 0, largestObjectBytes: 0, firstKey: '', lastKey: '', sample: new Array<string>() };
    const step = Math.ceil(objects / SAMPLE_SIZE);
    async function* ofJob(): AsyncGenerator<Input> {
      for (let at = 0; at < objects; at++) {
        const { value, done } = await inputs.next();
        if (done === true)
          throw new RangeError(`the inputs of ${plan.run} changed while a round was planned`);
        found.bytes += value.size;
        found.largestObjectBytes = Math.max(found.largestObjectBytes, value.size);
        if (at === 0) found.firstKey = value.name;
        found.lastKey = value.name;
        // Neighbors of these belong to other rounds: looking these up shows whether the job has left answers.
        if (at % step === 0) found.sample.push(value.name);
        yield value;
      }
    }
    await writeSentInputs(store, run, plan, { key: input, inputs: ofJob() });
    const quotedSeconds = planning.quoteSeconds({ objects, bytes: found.bytes }, engine);
    const about = { part, input, objects, outliers: false, pilot: false, round: upTo.length + 1 };
    jobs.push({ ...about, ...found, engine, quotedSeconds });
  }
  return jobs;
}

/** The sample that the rounds have drawn so far; the quote of the rest shrinks with it. */
function sampleOf(
  { sample }: Plan,
  { drawn, of }: { readonly drawn: number; readonly of: number },
): Plan['sample'] {
  if (sample === null || drawn === of) return null;
  const { restQuoteUsd, inputs } = sample;
  const left = (of - drawn) / (of - inputs);
  return {
    ...sample,
    inputs: drawn,
    restQuoteUsd: restQuoteUsd === null ? null : roundUsd(restQuoteUsd * left),
  };
}

function withRound({ cost, engine }: Plan, jobs: readonly PlannedJob[]): number | null {
  const usd = planningOf(engine.name).quoteUsd(cost, jobs);
  return cost.quoteUsd === null || usd === null ? null : roundUsd(cost.quoteUsd + usd);
}
