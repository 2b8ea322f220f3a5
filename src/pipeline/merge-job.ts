import type { JobConfig } from './job-config.ts';
import type { PipelineConfig } from './pipeline-config.ts';
import type { Problem } from './problem.ts';

/** What holds for one run, and where its job.json asked for more than a drop may. */
export interface MergedConfig {
  readonly config: PipelineConfig;
  readonly problems: readonly Problem[];
}

/**
 * Lays a drop's job.json over its pipeline's configuration.
 *
 * Transform (without instances), labels, report and drop are overridden field by field; gate and limits only get tighter.
 */
export function mergeJob(pipeline: PipelineConfig, job: JobConfig | undefined): MergedConfig {
  if (job === undefined) return { config: pipeline, problems: [] };
  const problems = [
    ...refuseLooser('gate.minAccuracy', job.gate?.minAccuracy, pipeline.gate?.minAccuracy, 'at least'),
    ...refuseLooser('gate.maxErrorRate', job.gate?.maxErrorRate, pipeline.gate?.maxErrorRate, 'at most'),
    ...refuseLooser(
      'limits.maxCostUsd',
      job.limits?.maxCostUsd,
      pipeline.limits.maxCostUsd ?? undefined,
      'at most',
    ),
    ...refuseLooser(
      'limits.maxRuntimeMinutes',
      job.limits?.maxRuntimeMinutes,
      pipeline.limits.maxRuntimeMinutes,
      'at most',
    ),
  ];
  const gate = { ...pipeline.gate, ...given(job.gate) };
  const config: PipelineConfig = {
    ...pipeline,
    transform: { ...pipeline.transform, ...given(job.transform) },
    labels: { ...pipeline.labels, ...given(job.labels) },
    report: { ...pipeline.report, ...given(job.report) },
    drop: { ...pipeline.drop, ...given(job.drop) },
    gate: pipeline.gate === null && job.gate === undefined ? null : gate,
    limits: { ...pipeline.limits, ...given(job.limits) },
  };
  return { config, problems };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were really given, so that an explicit undefined overrides nothing. */
function given<T extends object>(fields: T | undefined): Given<T> {
  const result: Given<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) Object.assign(result, { [name]: value });
  }
  return result;
}

function refuseLooser(
  field: string,
  asked: number | undefined,
  bound: number | undefined,
  side: 'at least' | 'at most',
): Problem[] {
  if (asked === undefined || bound === undefined) return [];
  if (side === 'at least' ? asked >= bound : asked <= bound) return [];
  const message = `must be ${side} pipeline.json's ${bound}, is ${asked}: a drop may only tighten it`;
  return [{ file: 'job.json', field, value: String(asked), message }];
}
