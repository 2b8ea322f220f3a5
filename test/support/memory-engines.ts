import type { Engines } from '../../src/app/engine/engine.ts';
import {
  sageMakerEngine,
  type SageMakerEngineServices,
} from '../../src/app/engine/sagemaker/sagemaker-engine.ts';
import { noEngine } from './no-engine.ts';

/** The engines of a stack around a SageMaker in memory. */
export function memoryEngines(services: SageMakerEngineServices): Engines {
  return { sagemaker: sageMakerEngine(services), lambda: noEngine };
}
