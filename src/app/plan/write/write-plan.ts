import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { buildPlan } from '../../../plan/build-plan.ts';
import type { Decided } from '../../../plan/decide/decide.ts';
import type { Found } from '../../../plan/found.ts';
import type { Plan } from '../../../plan/plan.ts';
import { toPlannedRecord } from '../../../plan/planned-record.ts';
import { quoteRest, quoteRounds } from '../../../plan/quote/quote-rest.ts';
import { continuedPlan, quoteRequests, rescoredPlan } from '../../../plan/rescored.ts';
import type { Written } from '../../../plan/written.ts';
import { roundUsd } from '../../../price/round-usd.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { RunParts } from '../../../run/run-id.ts';
import { dollars, grouped } from '../../../text/figures.ts';
import { copySample, readInputsWithCopies, takeAllInputs, writeSample } from '../../records/inputs.ts';
import { writeJobRecord } from '../../records/jobs.ts';
import { planJson } from '../../records/plan.ts';
import { isReplaced } from '../../records/replaced-source.ts';
import { reserveQuote, type Waiting } from '../pipeline-limits.ts';
import type { PlanServices } from '../plan-services.ts';
import { writeSortedLabels } from '../read/label-file.ts';
import { packModel } from './pack-archive.ts';
import { planJobs } from './plan-jobs.ts';

/**
 * The last step of planning, and the only one that writes what was decided: labels, sample, model, jobs, and then the
 * plan. If the label file was replaced since it was read, the run is planned again.
 */
export async function writePlan(decided: Decided, { store, clock }: PlanServices): Promise<Plan | Waiting> {
  const { found } = decided;
  const createdAt = clock();
  const labels = await writeLabels(store, found);
  if (labels === undefined) return { waitSeconds: 1 };
  await writeDrawn(store, decided);
  const written = { createdAt, labels, model: await writeModel(store, decided) };
  if (found.original?.purpose === 'rescore') {
    const plan = rescoredPlan(
      buildPlan(decided, { ...written, ...ofRescore(found, found.original.plan) }),
      found.original.plan,
    );
    await planJson(found.run).write(store, plan);
    return plan;
  }
  const { jobs, quotes } = await writeJobs(store, decided);
  const reserved = await reserveQuote(
    store,
    found.run,
    found.configuration.config.limits,
    quotes.mostUsd,
    clock(),
  );
  if ('waitSeconds' in reserved) return reserved;
  const today = buildPlan(decided, { ...written, jobs, ...quotes, leftUsd: reserved.leftUsd });
  const plan = found.original === null ? today : continuedPlan(today, found.original.plan);
  await storePlan(store, found.run, plan, clock(), found.firstAttempt);
  return plan;
}

/** Stores a run's plan, and the record of its first job. */
export async function storePlan(
  store: ObjectStore,
  run: RunParts,
  plan: Plan,
  at: Date,
  attempt = 1,
): Promise<void> {
  await planJson(run).write(store, plan);
  const record = toPlannedRecord(plan, store.bucket, { attempt, part: 1, at, outputsBefore: 0 });
  await writeJobRecord(store, run, record);
}

/** Copies a label file for the run, since it may be overwritten while the run lasts. Undefined if it isn't the file that was read. */
async function writeLabels(
  store: ObjectStore,
  { run, labelFile }: Found,
): Promise<Written['labels'] | undefined> {
  if (labelFile === null) return { file: null, etag: null, index: null };
  const file = bucketLayout.labels(run);
  try {
    await store.copy({ bucket: store.bucket, ...labelFile.source }, file);
  } catch (error) {
    if (isReplaced(error)) return undefined;
    throw error;
  }
  const index = await writeSortedLabels(store, run, labelFile.parts);
  return { file, etag: labelFile.source.etag, index };
}

/**
 * Writes the list of the inputs that the run predicts, which all later steps read instead of all, unless they are all and
 * none is a copy.
 */
async function writeDrawn(store: ObjectStore, { found, verdict }: Decided): Promise<void> {
  const { run, original } = found;
  const { profile, drawn } = verdict.inputs;
  const { pick } = drawn;
  if (original?.purpose === 'rescore') await copySample(store, run, RunParts.parse(original.plan.run));
  else if (pick === null && profile.copies === 0) await takeAllInputs(store, run);
  else {
    const all = readInputsWithCopies(store, run);
    await writeSample(store, run, pick === null ? all : pick(all));
  }
}

function writeModel(
  store: ObjectStore,
  { found, verdict }: Decided,
): Promise<Written['model']> | Written['model'] {
  if (found.original !== null) return found.original.plan.model;
  return packModel(store, found.run, found.model, verdict.model.added);
}

/** Cuts the inputs that are to be sent into jobs, and quotes them in US dollars, with the copies that were made before. */
async function writeJobs(store: ObjectStore, { found, verdict }: Decided) {
  const { run, frozen, opened, original } = found;
  const { configuration, planning, sending, inputs } = verdict;
  const { config, speeds, resolvedPrices } = configuration;
  const { profile, drawn } = inputs;
  const continues = original === null ? null : RunParts.parse(original.plan.run);
  const jobs = await planJobs(store, run, {
    config,
    speeds,
    frozen,
    profile,
    unpacked: opened.unpacked,
    bundle: sending.bundle,
    inputs: { run, continues, ...verdict.limits },
    firstBundle: verdict.firstBundle === null ? 'none' : frozen.trial === undefined ? 'apart' : 'all',
  });
  const withCopies = (usd: number | null): number | null =>
    usd === null ? null : roundUsd(usd + opened.usd);
  const quoteUsd = withCopies(planning.quoteUsd(resolvedPrices, jobs.planned));
  const { sample, rounds } = drawn;
  const sampleBytes = profile.sent.bytes;
  const quotes = {
    quoteUsd,
    restQuoteUsd: sample && quoteRest(configuration, { ...sending, sample, frozen, sampleBytes }),
    // Rounds may go on to the end: the day must have room for all of them.
    mostUsd:
      rounds === undefined ? quoteUsd : withCopies(quoteRounds(config, resolvedPrices, { rounds, frozen })),
  };
  const note =
    `continues ${original?.plan.run}: the predictions of its sample are used again, and only the other ` +
    `${grouped(profile.sent.count)} inputs are sent, to the same model`;
  const notes = original === null ? jobs.notes : [note, ...jobs.notes];
  return { jobs: { ...jobs, notes }, quotes };
}

/** The jobs of the run with predictions to score again, and the price of doing so. */
function ofRescore(
  { configuration: { config }, opened }: Found,
  { run, jobs: planned, outlierBytes, pilot, objects }: Plan,
): Omit<Written, 'createdAt' | 'labels' | 'model'> {
  const quoteUsd = quoteRequests({ objects, limits: config.limits }, opened.usd);
  const note = `the predictions of ${run} are scored again: no job runs, and S3's requests are quoted at ${dollars(quoteUsd)}`;
  const jobs = { planned, outlierBytes, pilot, isPilot: pilot.length > 0, notes: [note] };
  return { jobs, quoteUsd, restQuoteUsd: null, mostUsd: quoteUsd, leftUsd: null };
}
