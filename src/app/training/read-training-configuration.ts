import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsePipelineConfig, parseTrainingJobConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { TrainingJobConfig } from '../../pipeline/training-job-config.ts';
import { parsePrices, type PriceOverride } from '../../price/price-override.ts';
import type { Problem } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { missingPipeline, tooLongJob } from '../plan/open/read-configuration.ts';
import { readJobFile } from '../records/drop.ts';

/** Configuration of a training, as far as it can be read. */
export interface ReadTrainingConfiguration {
  /** Undefined if pipeline.json is missing or invalid. */
  readonly config: PipelineConfig | undefined;
  readonly job: TrainingJobConfig | undefined;
  readonly prices: PriceOverride | undefined;
  readonly problems: readonly Problem[];
}

/** Reads pipeline.json, the drop's job.json and pipelines/prices.json. */
export async function readTrainingConfiguration(
  store: ObjectStore,
  run: RunParts,
): Promise<ReadTrainingConfiguration> {
  const [pipelineText, jobFile, priceText] = await Promise.all([
    store.readText(bucketLayout.pipelineConfig(run.pipeline)),
    readJobFile(store, run),
    store.readText(bucketLayout.prices()),
  ]);
  const problems: Problem[] = [];
  let prices: PriceOverride | undefined;
  if (priceText !== undefined) {
    const parsed = parsePrices(priceText);
    if ('message' in parsed)
      problems.push({ file: bucketLayout.prices(), field: '', value: '', message: parsed.message });
    else prices = parsed;
  }
  let job: TrainingJobConfig | undefined;
  if (jobFile !== undefined && 'bytes' in jobFile) problems.push(tooLongJob(jobFile.bytes));
  else if (jobFile !== undefined) {
    const parsed = parseTrainingJobConfig(jobFile.text);
    problems.push(...parsed.problems);
    if ('value' in parsed) job = parsed.value;
  }
  if (pipelineText === undefined) {
    problems.push(await missingPipeline(store, run.pipeline));
    return { config: undefined, job, prices, problems };
  }
  const parsed = parsePipelineConfig(pipelineText);
  problems.push(...parsed.problems);
  return { config: 'value' in parsed ? parsed.value : parsed.repaired, job, prices, problems };
}
