import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { EngineName } from '../transform/engine-settings.ts';
import type { EnginePlanning } from './engine-planning.ts';
import { sagemakerPlanning } from './sagemaker-planning.ts';

const PLANNING: Readonly<Record<EngineName, EnginePlanning>> = { sagemaker: sagemakerPlanning };

/** The planning of an engine. */
export function planningOf(name: EngineName): EnginePlanning {
  return PLANNING[name];
}

/** The planning of the engine that a configuration asks for; there is one. */
export function engineOf(_config: PipelineConfig): EnginePlanning {
  return PLANNING.sagemaker;
}
