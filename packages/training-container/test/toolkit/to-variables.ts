import { splitHyperparameters } from '../../hyperparameters.ts';
import { smEnvironment } from '../../sm-environment.ts';
import type { ToolkitCase } from './cases.ts';

/** This stack's answer to a case. */
export function toVariables(one: ToolkitCase): Readonly<Record<string, string>> {
  return smEnvironment({
    optMl: '/opt/ml',
    hyperparameters: splitHyperparameters(one.hyperparameters),
    resources: one.resourceconfig,
    inputs: one.inputdataconfig,
    jobName: one.jobName,
    frameworkModule: one.frameworkModule,
    cpus: one.cpus,
    gpus: one.gpus,
  });
}
