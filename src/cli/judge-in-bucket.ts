import { findBaseline } from '../app/plan/read/find-baseline.ts';
import { readModel } from '../app/plan/read/read-model.ts';
import { evaluationNumbers } from '../app/training/evaluation-numbers.ts';
import type { ObjectStore } from '../aws/s3/object-store.ts';
import type { Numbers } from '../label/label-check.ts';
import { hasOpenNumbers } from '../label/reading.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { bestJudged } from '../plan/engine/engine-config.ts';
import { planningOf } from '../plan/engine/engine-of.ts';
import { judgeModel } from '../plan/judge/judge-model.ts';
import { type JudgedPipeline, judgePipeline } from '../plan/judge/judge-pipeline.ts';
import { resolveClasses } from '../plan/judge/resolve-labels.ts';
import { parsePrices } from '../price/price-override.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import type { PipelineFolder } from './put-pipeline.ts';

/** One role serves the trainings of every pipeline (docs/security.md). */
const NOT_ISOLATED =
  'training scripts and their packages reach the network and, with the training role, training/, incoming/ ' +
  'and shared/ of every pipeline and the buckets of ReadBucketArns: set training.networkIsolation to true if they ' +
  'need neither';

/**
 * Finds the problems for which any run of a pipeline in a region would be refused: whether its files fit each other, and whether the bucket
 * has what they name.
 */
export async function judgeInBucket(
  store: ObjectStore,
  pipeline: string,
  { config, classesText, model = {} }: PipelineFolder & { readonly config: PipelineConfig },
  region: string,
): Promise<JudgedPipeline & { readonly numbers?: Numbers }> {
  const { classes } = config.labels;
  // Only the pipeline of a future run is known.
  const run = { kind: 'inference', pipeline, drop: '', generation: '' } as const;
  const isOwn = config.model.artifact?.startsWith(`s3://${store.bucket}/`) === true;
  const [priceText, classesThere, found, compared] = await Promise.all([
    store.readText(bucketLayout.prices()),
    Array.isArray(classes) ? undefined : store.readText(bucketLayout.pipelineFile(pipeline, classes.file)),
    isOwn ? readModel(store, run, { config, readBuckets: [] }) : undefined,
    findBaseline(store, run, config.report.baseline),
  ]);
  const named =
    found &&
    bestJudged(
      config,
      (engine) => judgeModel(found, { run, bucket: store.bucket, config, planning: planningOf(engine) }),
      ({ problems }) => problems,
    );
  const read = priceText === undefined ? undefined : parsePrices(priceText);
  const unread = read !== undefined && 'message' in read ? read : undefined;
  const numbers = await chooseNumbers(store, pipeline, config, classesText ?? classesThere);
  const judged = judgePipeline(
    {
      config,
      classesText: classesText ?? classesThere,
      labelsFile: 'pipeline.json',
      sampleFile: 'pipeline.json',
      prices: read === undefined || 'message' in read ? undefined : read,
      speeds: [],
      judgedByDrop: [],
      judging: null,
      problems: [],
    },
    named === undefined
      ? model
      : { answers: named.answers, sizeBytes: named.sizeBytes, functionReasons: named.functionReasons },
    region,
  );
  return {
    problems: [
      ...(unread === undefined ? [] : [{ file: bucketLayout.prices(), field: '', value: '', ...unread }]),
      ...judged.problems,
      ...(named?.problems ?? []),
      ...compared.problems,
    ],
    ...('value' in numbers && { numbers: numbers.value }),
    notes: [
      ...judged.notes,
      ...numbers.notes,
      ...(config.training?.networkIsolation === false ? [NOT_ISOLATED] : []),
    ],
  };
}

/** Settles `labels.numbers` by the labels of the evaluation set, or says what stays open if numbers in labels could have two meanings. */
async function chooseNumbers(
  store: ObjectStore,
  pipeline: string,
  { labels, training }: PipelineConfig,
  classesText: string | undefined,
): Promise<{ readonly value?: Numbers; readonly notes: readonly string[] }> {
  const { classes, problems } = resolveClasses(labels.classes, classesText, 'pipeline.json');
  if (labels.truth === null || labels.numbers !== null || problems.length > 0) return { notes: [] };
  const set = training?.after.evaluate ?? (await onlySet(store, pipeline));
  const found =
    set === undefined
      ? undefined
      : await evaluationNumbers(store, pipeline, set, { truth: labels.truth, classes });
  if (found !== undefined && 'value' in found)
    return {
      value: found.value,
      notes: [
        `labels.numbers is ${JSON.stringify(found.value)} in the bucket's pipeline.json: ${found.reason} (evaluation ` +
          `set ${set}). Write it into yours to keep it`,
      ],
    };
  if (found !== undefined)
    return { notes: [`labels.numbers isn't set, and evaluation set ${set} leaves it open: ${found.open}`] };
  return {
    notes: hasOpenNumbers(classes)
      ? [
          'labels.numbers is not set: should labels be numbers that could mean two classes, their drop is refused and says how to set it',
        ]
      : [],
  };
}

/** Name of the pipeline's evaluation set; undefined if there's none, or more than one. */
async function onlySet(store: ObjectStore, pipeline: string): Promise<string | undefined> {
  const folder = bucketLayout.pipelineFile(pipeline, 'evaluation/');
  const nameOf = (key: string): string => key.slice(folder.length).split('/')[0] ?? '';
  const [first] = (await store.listPage(folder, { limit: 1 })).objects;
  if (first === undefined) return undefined;
  const name = nameOf(first.key);
  // In the order of bytes a 0 is the next after a slash.
  const { objects } = await store.listPage(folder, { startAfter: `${folder}${name}0`, limit: 1 });
  return objects.length === 0 ? name : undefined;
}
