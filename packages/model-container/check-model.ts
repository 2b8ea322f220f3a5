import { type ContainerHostOptions, engineModuleOf } from './container-host.ts';
import type { CheckedModel } from './container-kind.ts';
import { containerOf } from './container-kinds.ts';
import { describeEngine } from './python-environments/engine-environment.ts';

/**
 * Why the containers of this stack cannot run a model, with the remedy; undefined if they can. SageMaker's CreateModel does not read
 * archives: a SavedModel that is damaged, or that TensorFlow Serving cannot restore, would fail every job there. A script with an
 * error in it, and an archive without SavedModel, fail the job, as in AWS.
 */
export type CheckModel = (model: CheckedModel) => Promise<string | undefined>;

/** Checks models as the container of their image would run them. */
export function createModelCheck(options: ContainerHostOptions = {}): CheckModel {
  const { handlers = 'pyodide', engine = 'onnxruntime' } = options;
  const choice = { handlers, engine, engineModule: engineModuleOf(options) };
  return async (model) => {
    const kind = containerOf(model, choice);
    if ('refusal' in kind) return kind.refusal;
    const { needs } = kind;
    if (needs !== null && !describeEngine(needs).installed)
      return `image ${model.image}: ${needs} is not installed: run "inferdrop containers install ${needs}"`;
    return kind.check(model, choice);
  };
}
