import { findBaseline } from '../app/plan/read/find-baseline.ts';
import { readModel } from '../app/plan/read/read-model.ts';
import type { ObjectStore } from '../aws/s3/object-store.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import { bestJudged } from '../plan/engine/engine-config.ts';
import { planningOf } from '../plan/engine/engine-of.ts';
import { judgeModel } from '../plan/judge/judge-model.ts';
import { type JudgedPipeline, judgePipeline } from '../plan/judge/judge-pipeline.ts';
import { parsePrices } from '../price/price-override.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import type { PipelineFolder } from './put-pipeline.ts';

/** One role serves the trainings of every pipeline (docs/security.md). */
const NOT_ISOLATED =
  'training scripts and their packages reach the network and, with the training role, training/, incoming/ and shared/ of every pipeline and the buckets of ReadBucketArns: set training.networkIsolation to true if they need neither';

/**
 * Finds the problems for which any run of a pipeline in a region would be refused: whether its files fit each other, and whether the bucket
 * has what they name.
 */
export async function judgeInBucket(
  store: ObjectStore,
  pipeline: string,
  { config, classesText, model = {} }: PipelineFolder & { readonly config: PipelineConfig },
  region: string,
): Promise<JudgedPipeline> {
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
    notes: [...judged.notes, ...(config.training?.networkIsolation === false ? [NOT_ISOLATED] : [])],
  };
}
