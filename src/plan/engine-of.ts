import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { EngineName } from '../transform/engine-settings.ts';
import type { EnginePlanning } from './engine-planning.ts';
import { lambdaPlanning } from './lambda-planning.ts';
import { sagemakerPlanning } from './sagemaker-planning.ts';

const PLANNING: Readonly<Record<EngineName, EnginePlanning>> = {
  sagemaker: sagemakerPlanning,
  lambda: lambdaPlanning,
};

/** The planning of an engine. */
export function planningOf(name: EngineName): EnginePlanning {
  return PLANNING[name];
}

/** The planning of the engine that a configuration asks for. A drop's `auto` is decided before anything depends on it. */
export function engineOf({ transform: { engine } }: PipelineConfig): EnginePlanning {
  return PLANNING[engine === 'auto' ? 'sagemaker' : engine];
}
