import type { EngineName } from '../../transform/engine-settings.ts';
import type { EnginePlanning } from './engine-planning.ts';
import { lambdaPlanning } from './lambda-planning.ts';
import { sagemakerPlanning } from './sagemaker-planning.ts';

/** Planning of each engine. */
export const PLANNING: Readonly<Record<EngineName, EnginePlanning>> = {
  sagemaker: sagemakerPlanning,
  lambda: lambdaPlanning,
};

/** The planning of an engine. */
export function planningOf(name: EngineName): EnginePlanning {
  return PLANNING[name];
}
