import type { ServedVariant } from '../../src/endpoint/served.ts';

/** A variant of an endpoint of plain instances, with what a test says of it. */
export function servedVariant(changes: Partial<ServedVariant> = {}): ServedVariant {
  return {
    run: 'clothes/monday/000001',
    deployedBy: 'clothes/monday/000001',
    configName: 'config',
    modelName: 'model',
    modelSha256: 'a'.repeat(64),
    hardware: '1 × ml.m5.xlarge',
    kind: 'instance',
    component: null,
    inFunction: null,
    contentType: 'application/x-image',
    accept: 'application/json',
    task: 'classification',
    classes: ['shoe', 'bag'],
    classOffset: 0,
    scores: 'as-answered',
    threshold: null,
    single: 'class',
    topK: 2,
    ...changes,
  };
}
