import type { ContainerSpec } from './container.ts';
import type { ContainerPythons } from './container-messages.ts';
import { readHandlerScript } from './handlers/handler-script.ts';
import { type EngineName, requireEngine } from './python-environments/engine-environment.ts';
import { handlerEnvironment } from './python-environments/handler-environment.ts';

/** Which parts of a container run in an installed Python. */
export interface PythonChoice {
  /** Python of scripts in the TensorFlow container: Pyodide needs none installed and has no packages. */
  readonly handlers: 'pyodide' | 'python';
  /** Engine of models in the TensorFlow container: onnxruntime needs no Python. */
  readonly engine: 'onnxruntime' | 'python';
  /** Folder of the environments that archives ask for. */
  readonly environmentsDir: string;
}

/** pip has no index to install from. */
class PackagesUnreachable extends Error {
  override readonly name = 'PackagesUnreachable';
}

/** Packages that the TensorFlow image has installed for its scripts. */
const TENSORFLOW_IMAGE = ['requests'];

/**
 * Ensures that a container's Pythons exist; the archive's requirements are installed now.
 *
 * @throws {PackagesUnreachable} {EngineMissing} {PythonMissing} {EnvironmentFailed} with the remedy
 */
export async function preparePython(
  framework: EngineName,
  { modelDir, networkIsolation, log }: ContainerSpec,
  { handlers, engine, environmentsDir }: PythonChoice,
): Promise<ContainerPythons> {
  const { hasInferenceScript, hasLib, hasRequirements } = await readHandlerScript(modelDir);
  if (networkIsolation && hasRequirements && !hasLib) {
    throw new PackagesUnreachable(
      'code/requirements.txt cannot be installed: the model has EnableNetworkIsolation, so that pip reaches no package index. Pack the ' +
        'packages into code/lib, or make the model without isolation',
    );
  }
  if (framework === 'pytorch') {
    const { dir, python } = requireEngine('pytorch');
    if (!hasRequirements || hasLib) return { engine: python };
    return {
      engine: await handlerEnvironment({ modelDir, environmentsDir, image: [], parent: dir, log }),
    };
  }
  return {
    ...(engine === 'python' && { engine: requireEngine('tensorflow').python }),
    ...(handlers === 'python' &&
      hasInferenceScript && {
        handlers: await handlerEnvironment({ modelDir, environmentsDir, image: TENSORFLOW_IMAGE, log }),
      }),
  };
}
