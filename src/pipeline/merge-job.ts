import type { Problem } from '../problem/problem.ts';
import { REFUSED_SETTINGS } from '../tasks/refused-settings.ts';
import type { GateSettings } from './gate-settings.ts';
import type { JobConfig } from './job-config.ts';
import type { PipelineConfig } from './pipeline-config.ts';
import { recallByClass as byClass } from './recall-by-class.ts';
import { resolveGate } from './resolve-gate.ts';
import { valueAt } from './schema-node.ts';

/** The settings of one run, and the fields in which its job.json asked for more than a drop may. */
export interface MergedConfig {
  readonly config: PipelineConfig;
  readonly problems: readonly Problem[];
  /** Fields of job.json that change the model's inputs, or which answers count as right; a run with such fields is never deployed. */
  readonly judgedByDrop: readonly string[];
}

/**
 * Lays a drop's job.json over its pipeline's configuration.
 *
 * Transform (without instances), labels, report and drop are overridden field by field; gate and limits only get tighter.
 */
export function mergeJob(pipeline: PipelineConfig, job: JobConfig | undefined): MergedConfig {
  if (job === undefined) return { config: pipeline, problems: [], judgedByDrop: [] };
  const sample = mergeSample(pipeline.sample, job.sample);
  // A pipeline with a gate that judges a part has a strict gate, even for the drop that takes all of its inputs.
  const resolved = resolveGate({ ...pipeline, sample: sample ?? pipeline.sample });
  const problems = [
    ...REFUSED_SETTINGS[pipeline.labels.task]('job.json', (field) => valueAt(job, field.split('.'))),
    ...earlierThanAsked(pipeline.gate, job.gate),
    ...refuseLooser('gate.minInputs', job.gate?.minInputs, resolved?.minInputs, 'at least'),
    ...refuseLooser(
      'gate.minLabeled',
      job.gate?.minLabeled === null ? 0 : job.gate?.minLabeled,
      resolved?.minLabeled ?? undefined,
      'at least',
    ),
    ...refuseLooser(
      'gate.confidence',
      job.gate?.confidence === null ? 0 : job.gate?.confidence,
      resolved?.confidence ?? undefined,
      'at least',
    ),
    ...refuseLooser('gate.minAccuracy', job.gate?.minAccuracy, pipeline.gate?.minAccuracy, 'at least'),
    ...refuseLooser('gate.maxErrorRate', job.gate?.maxErrorRate, pipeline.gate?.maxErrorRate, 'at most'),
    ...refuseLooser(
      'gate.maxAccuracyDrop',
      job.gate?.maxAccuracyDrop,
      pipeline.gate?.maxAccuracyDrop,
      'at most',
    ),
    ...looserRecall(pipeline.gate?.minRecall, job.gate?.minRecall),
    ...otherBaseline(pipeline, job),
    ...refuseLooser(
      'limits.maxCostUsd',
      job.limits?.maxCostUsd,
      pipeline.limits.maxCostUsd ?? undefined,
      'at most',
    ),
    ...refuseLooser(
      'limits.maxCostUsdPerDay',
      job.limits?.maxCostUsdPerDay,
      pipeline.limits.maxCostUsdPerDay ?? undefined,
      'at most',
    ),
    ...refuseLooser(
      'limits.maxConcurrentRuns',
      job.limits?.maxConcurrentRuns,
      pipeline.limits.maxConcurrentRuns,
      'at most',
    ),
    ...refuseLooser(
      'limits.maxRuntimeMinutes',
      job.limits?.maxRuntimeMinutes,
      pipeline.limits.maxRuntimeMinutes,
      'at most',
    ),
  ];
  const minRecall = mergeRecall(pipeline.gate?.minRecall, job.gate?.minRecall);
  const isWhole =
    (sample === null && pipeline.sample !== null) ||
    (job.gate?.decide === 'all' && pipeline.gate?.decide === 'early');
  const own = isWhole ? resolved : pipeline.gate;
  const gate = { ...own, ...given(job.gate), ...given({ minRecall }) };
  const config: PipelineConfig = {
    ...pipeline,
    transform: { ...pipeline.transform, ...given(job.transform) },
    labels: { ...pipeline.labels, ...given(job.labels) },
    report: { ...pipeline.report, ...given(job.report) },
    drop: { ...pipeline.drop, ...given(job.drop) },
    sample,
    gate: pipeline.gate === null && job.gate === undefined ? null : gate,
    limits: { ...pipeline.limits, ...given(job.limits) },
  };
  return { config, problems, judgedByDrop: judgedByDrop(job, pipeline.gate) };
}

function mergeSample(own: PipelineConfig['sample'], asked: JobConfig['sample']): PipelineConfig['sample'] {
  if (asked === undefined) return own;
  return asked && { inputs: asked.inputs, by: asked.by ?? own?.by ?? 'none' };
}

/**
 * A gate that passes on classes, truth or inputs of the uploader's choice says nothing about the pipeline's model, nor does a gate of
 * the uploader's own, and an endpoint would answer with the uploader's class names.
 */
function judgedByDrop({ input, labels, transform, gate }: JobConfig, own: PipelineConfig['gate']): string[] {
  const { contentType, accept, inputFilter } = transform ?? {};
  const fields = {
    input,
    'transform.contentType': contentType,
    'transform.accept': accept,
    'transform.inputFilter': inputFilter,
    'labels.classes': labels?.classes,
    'labels.truth': labels?.truth,
    'labels.numbers': labels?.numbers,
    'labels.classOffset': labels?.classOffset,
    'labels.scores': labels?.scores,
    'labels.threshold': labels?.threshold,
    gate: own === null ? gate : undefined,
  };
  return Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are present, so that an explicit undefined overrides nothing. */
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

/** Refuses to judge by a part of the drop where the pipeline judges by all of it. */
function earlierThanAsked(pipeline: PipelineConfig['gate'], job: JobConfig['gate']): Problem[] {
  if (job?.decide !== 'early' || pipeline?.decide === 'early') return [];
  const message =
    'must be "all", as in pipeline.json, is "early": a drop may not be judged by fewer of its inputs than the ' +
    'pipeline asks for. Only pipeline.json may set gate.decide to "early"';
  return [{ file: 'job.json', field: 'gate.decide', value: 'early', message }];
}

type MinRecall = GateSettings['minRecall'];

function looserRecall(pipeline: MinRecall, job: MinRecall): Problem[] {
  const bounds = byClass(pipeline);
  return Object.entries(byClass(job, bounds)).flatMap(([name, asked]) => {
    const own = bounds[name] ?? bounds['*'];
    return [
      ...refuseLooser(`gate.minRecall.${name}`, asked.minRecall, own?.minRecall, 'at least'),
      ...refuseLooser(`gate.minRecall.${name}.minInputs`, asked.minInputs, own?.minInputs, 'at least'),
    ];
  });
}

/** Bounds by class are united; where both give one, the drop's has been checked to be the tighter one. */
function mergeRecall(pipeline: MinRecall, job: MinRecall): MinRecall {
  if (pipeline === undefined || job === undefined) return job ?? pipeline;
  if (typeof pipeline === 'number' && typeof job === 'number') return job;
  const own = byClass(pipeline);
  return { ...own, ...byClass(job, own) };
}

/** Refuses another baseline: a loss is measured from it, so a drop may not choose it. */
function otherBaseline(pipeline: PipelineConfig, job: JobConfig): Problem[] {
  const asked = job.report?.baseline;
  const compares = pipeline.gate?.maxAccuracyDrop !== undefined;
  if (asked === undefined || !compares || asked === pipeline.report.baseline) return [];
  const message =
    `must be pipeline.json's ${JSON.stringify(pipeline.report.baseline)}, is ${JSON.stringify(asked)}: the gate ` +
    'compares with it, and a drop may only tighten the gate';
  return [{ file: 'job.json', field: 'report.baseline', value: String(asked), message }];
}
