import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { type InputPlaces, resolveDropInput } from '../../../drop/drop-input.ts';
import { dropFileKeys } from '../../../drop/drop-key.ts';
import type { JobConfig } from '../../../pipeline/job-config.ts';
import { mergeJob } from '../../../pipeline/merge-job.ts';
import { parseJobConfig, parsePipelineConfig } from '../../../pipeline/parse-config.ts';
import { judgingDigest } from '../../../pipeline/resolve-gate.ts';
import { toShownValue } from '../../../pipeline/shown-value.ts';
import type { Configuration } from '../../../plan/judge/judge-configuration.ts';
import { parsePrices } from '../../../price/price-override.ts';
import type { Problem } from '../../../problem/problem.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { evaluationOf, parseRunId, type RunParts } from '../../../run/run-id.ts';
import { configuredPipelines } from '../../records/configured-pipelines.ts';
import { hasDropFile, MAX_JOB_BYTES, readJobFile } from '../../records/drop.ts';
import { readSpeeds } from '../../records/speeds.ts';
import { earlierSpeeds } from '../read/earlier-speeds.ts';

/** Reads pipeline.json, the drop's job.json and pipelines/prices.json, and the files they name. */
export async function readConfiguration(
  store: ObjectStore,
  run: RunParts,
  readBuckets: readonly string[],
): Promise<Configuration> {
  const problems: Problem[] = [];
  const [pipelineText, jobFile, priceText, measured, earlier] = await Promise.all([
    store.readText(bucketLayout.pipelineConfig(run.pipeline)),
    readJobFile(store, run),
    store.readText(bucketLayout.prices()),
    readSpeeds(store, run.pipeline),
    earlierSpeeds(store, run),
  ]);
  const read = priceText === undefined ? undefined : parsePrices(priceText);
  const prices = read !== undefined && 'message' in read ? undefined : read;
  if (read !== undefined && 'message' in read)
    problems.push({ file: bucketLayout.prices(), field: '', value: '', message: read.message });
  const speeds = [...('message' in measured ? [] : measured), ...earlier];
  if ('message' in measured)
    problems.push({
      file: bucketLayout.speeds(run.pipeline),
      field: '',
      value: '',
      message: measured.message,
    });
  const job = jobFile && parseJob(jobFile, problems);
  if (job !== undefined) {
    problems.push(
      ...inputProblems(job, { ownBucket: store.bucket, drop: run, readBuckets }),
      ...baselineProblems(job, run),
    );
  }
  const labelsFile =
    job?.labels?.classes === undefined && job?.labels?.truth === undefined ? 'pipeline.json' : 'job.json';
  const sampleFile = job?.sample === undefined ? 'pipeline.json' : 'job.json';
  const nothing = {
    config: undefined,
    classesText: undefined,
    labelsFile,
    sampleFile,
    prices,
    speeds,
    judgedByDrop: [],
    judging: null,
    problems,
  } as const;
  if (pipelineText === undefined) {
    problems.push(await missingPipeline(store, run.pipeline));
    return nothing;
  }
  const parsed = parsePipelineConfig(pipelineText);
  problems.push(...parsed.problems);
  const pipeline = 'value' in parsed ? parsed.value : parsed.repaired;
  if (pipeline === undefined) return nothing;
  const merged = mergeJob(pipeline, job);
  problems.push(...merged.problems);
  const { classes, truth } = merged.config.labels;
  const [classesText, labels] = await Promise.all([
    Array.isArray(classes)
      ? undefined
      : store.readText(bucketLayout.pipelineFile(run.pipeline, classes.file)),
    truth?.from === 'file' ? hasDropFile(store, run, truth.path) : true,
  ]);
  const { strict } = merged.config.labels;
  const { gate, sample, report } = merged.config;
  // Any other run is predicted now, and judged when the file arrives.
  const isNeeded =
    strict ||
    gate?.decide === 'early' ||
    sample?.by === 'class' ||
    report.slices.some(({ from }) => from === 'file') ||
    evaluationOf(run.drop) !== undefined;
  if (truth?.from === 'file' && !labels && isNeeded) {
    const [place = ''] = dropFileKeys(run, truth.path);
    const message = `names a file that the drop does not have: upload it to ${place} before the images`;
    problems.push({ file: labelsFile, field: 'labels.truth.path', value: toShownValue(truth.path), message });
  }
  const { config } = merged;
  // The job.json of an evaluation set is the owner's, as pipeline.json is.
  const judgedByDrop = evaluationOf(run.drop) === undefined ? merged.judgedByDrop : [];
  const judging = judgingDigest(pipeline);
  return { config, classesText, labelsFile, sampleFile, prices, speeds, judgedByDrop, judging, problems };
}

function parseJob(
  found: { readonly text: string } | { readonly bytes: number },
  problems: Problem[],
): JobConfig | undefined {
  if ('text' in found) return take(parseJobConfig(found.text), problems);
  problems.push(tooLongJob(found.bytes));
  return undefined;
}

/** Problem of a job.json that is not read. */
export function tooLongJob(bytes: number): Problem {
  const message = `must have at most ${MAX_JOB_BYTES} bytes, has ${bytes}`;
  return { file: 'job.json', field: '', value: '', message };
}

function take<T>(
  parsed: { readonly value?: T; readonly problems: readonly Problem[] },
  problems: Problem[],
): T | undefined {
  problems.push(...parsed.problems);
  return parsed.value;
}

/** Pipelines that a message names. */
const MOST_NAMED = 20;

/** Problem of a pipeline without pipeline.json. */
export async function missingPipeline(store: ObjectStore, pipeline: string): Promise<Problem> {
  const all = await configuredPipelines(store);
  const known = all.slice(0, MOST_NAMED);
  const more = all.length > known.length ? `, and ${all.length - known.length} more` : '';
  const key = bucketLayout.pipelineConfig(pipeline);
  const others =
    known.length === 0 ? 'there are no pipelines yet' : `the pipelines are ${known.join(', ')}${more}`;
  const message =
    `does not exist: ${others}. Write s3://${store.bucket}/${key}, or drop the files under incoming/ of a pipeline that ` +
    'exists';
  return { file: key, field: '', value: '', message };
}

function inputProblems({ input }: JobConfig, places: InputPlaces): Problem[] {
  if (input === undefined) return [];
  const stated =
    's3Prefix' in input
      ? { field: 'input.s3Prefix', uri: input.s3Prefix }
      : { field: 'input.manifest', uri: input.manifest };
  const found = resolveDropInput(stated, places);
  return 'message' in found ? [{ ...found, value: toShownValue(found.value) }] : [];
}

/** A comparison shows how another run judged the same files; only pipeline.json may name a run of another pipeline. */
function baselineProblems({ report }: JobConfig, { pipeline }: RunParts): Problem[] {
  const asked = report?.baseline ?? null;
  if (asked === null || asked === 'last-passed' || parseRunId(asked)?.pipeline === pipeline) return [];
  const message =
    `must be "last-passed" or a run of ${pipeline}, is ${JSON.stringify(asked)}: only pipeline.json may name runs of ` +
    'other pipelines';
  return [{ file: 'job.json', field: 'report.baseline', value: toShownValue(asked), message }];
}
