import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { SECONDS_PER_OBJECT } from '../../../price/quote.ts';
import { parseRunId, type RunParts, toRunId } from '../../../run/run-id.ts';
import { engineRules } from '../../../transform/engine-rules.ts';
import { settingsOf } from '../../../transform/engine-settings.ts';
import type { MeasuredSpeed } from '../../../transform/measured-speed.ts';
import { MEMORY_HOUR } from '../../../transform/predict-function.ts';
import { readJobRecords } from '../../records/jobs.ts';
import { planJson } from '../../records/plan.ts';
import { newestRuns } from '../../records/run-index.ts';

/** Runs among which one of engine lambda is looked for. */
const RUNS = 5;

/** Work of a function long enough that its start doesn't count; a shorter one that was slower than quotes assume says nothing. */
const LONG_SECONDS = 20;

/**
 * Speed of the functions in the pipeline's newest run of engine lambda, from the billed time of its jobs; empty if there's no such
 * run. It includes the starts of functions, so it's a lower bound.
 */
export async function earlierSpeeds(store: ObjectStore, run: RunParts): Promise<readonly MeasuredSpeed[]> {
  for await (const { run: id, endedAt } of newestRuns(store, 'inference', run.pipeline, RUNS)) {
    const earlier = parseRunId(id);
    const plan = earlier && id !== toRunId(run) ? await planJson(earlier).read(store) : undefined;
    if (earlier === undefined || plan === undefined || engineRules(plan.engine).startsContainer) continue;
    const engine = settingsOf('lambda', plan.engine);
    const { memoryMB, maxConcurrency } = engine;
    const usdPerGbHour = plan.cost.pricesUsd[MEMORY_HOUR] ?? null;
    const jobs = (await readJobRecords(store, earlier)).filter(({ status }) => status === 'Completed');
    const objects = jobs.reduce((sum, job) => sum + job.objects, 0);
    const costUsd = jobs.reduce((sum, job) => sum + (job.costUsd ?? 0), 0);
    if (usdPerGbHour === null || objects === 0 || costUsd === 0) continue;
    const workSeconds = (costUsd * 3600) / (usdPerGbHour * (memoryMB / 1024));
    const inputsPerSecond = objects / workSeconds;
    const functions = Math.min(maxConcurrency, Math.ceil(objects / (plan.bundle?.inputs ?? objects)));
    const isMostlyStarts = workSeconds / functions < LONG_SECONDS && inputsPerSecond < 1 / SECONDS_PER_OBJECT;
    if (isMostlyStarts) continue;
    return [
      {
        run: id,
        at: endedAt,
        model: plan.model.sha256,
        engine,
        bundled: true,
        objects,
        startSeconds: 0,
        startupSeconds: 0,
        workSeconds,
        inputsPerSecond,
        costUsd,
      },
    ];
  }
  return [];
}
