import type { Engines, Preparers } from '../../src/app/engine/engine.ts';
import { makeModel, type ModelCalls } from '../../src/app/engine/sagemaker/make-model.ts';
import {
  sageMakerEngine,
  type SageMakerEngineServices,
} from '../../src/app/engine/sagemaker/sagemaker-engine.ts';
import { noEngine, notPrepared } from './no-engine.ts';

/** The engines of a stack around a SageMaker in memory. */
export function memoryEngines(services: SageMakerEngineServices): Engines {
  return { sagemaker: sageMakerEngine(services), lambda: noEngine };
}

/** How a stack around a SageMaker in memory gets models ready. */
export function memoryPreparers(store: SageMakerEngineServices['store'], sagemaker: ModelCalls): Preparers {
  return { sagemaker: makeModel(store, sagemaker), lambda: notPrepared };
}
