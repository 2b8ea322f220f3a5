import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { EngineName } from '../../transform/engine-settings.ts';

/** A pipeline's configuration on one engine, also if pipeline.json leaves the choice to the plan. */
export type EngineConfig = PipelineConfig & {
  readonly transform: {
    readonly engine: EngineName;
    /** Memory of a function, once the stack's settings are known. */
    readonly memoryMB?: number;
  };
};

/** The stack's settings for functions that predict. */
interface FunctionSettings {
  readonly predictConcurrency: number;
  readonly predictMemoryMB: number;
}

/** The engines that a pipeline allows. If there are several, plans usually take the last one. */
export function enginesFor({
  transform: { engine },
}: Pick<PipelineConfig, 'transform'>): readonly [EngineName, ...EngineName[]] {
  return engine === 'auto' ? ['sagemaker', 'lambda'] : [engine];
}

/** Whether an engine that a pipeline allows starts a container with the model. */
export function startsContainer(config: Pick<PipelineConfig, 'transform'>): boolean {
  return enginesFor(config).some((name) => engineRules({ name }).startsContainer);
}

/** A configuration on an engine, before the stack's settings are known. */
export function onEngine(config: PipelineConfig, engine: EngineName): EngineConfig {
  return { ...config, transform: { ...config.transform, engine } };
}

/** A configuration on an engine, with the stack's memory and cap for functions. */
export function forEngine(
  config: PipelineConfig,
  engine: EngineName,
  { predictConcurrency, predictMemoryMB: memoryMB }: FunctionSettings,
): EngineConfig {
  const maxConcurrency = Math.min(config.transform.maxConcurrency ?? predictConcurrency, predictConcurrency);
  return { ...config, transform: { ...config.transform, engine, maxConcurrency, memoryMB } };
}

/** The judgment of the first engine that has no problems, or else of the first engine. */
export function bestJudged<T>(
  config: PipelineConfig,
  judge: (engine: EngineName) => T,
  problemsOf: (judged: T) => readonly unknown[],
): T {
  const [first, ...others] = enginesFor(config);
  const judged = judge(first);
  if (problemsOf(judged).length === 0) return judged;
  return others.map(judge).find((other) => problemsOf(other).length === 0) ?? judged;
}
