import type { ContainerSpec } from './container.ts';
import type { ContainerPythons } from './container-messages.ts';
import type { EngineName } from './python-environments/engine-environment.ts';

/** Which parts of a container run in an installed Python. */
export interface PythonChoice {
  /** Python of scripts in the TensorFlow container: Pyodide needs none installed and has no packages. */
  readonly handlers: 'pyodide' | 'python';
  /** Engine of models in the TensorFlow container: onnxruntime needs no Python. */
  readonly engine: 'onnxruntime' | 'python';
  /** Folder of the environments that archives ask for. */
  readonly environmentsDir: string;
}

/** An unpacked archive and the image that would serve it. */
export interface CheckedModel {
  readonly image: string;
  readonly modelDir: string;
}

/** The choices that a check of a model needs. */
export interface CheckChoice extends Pick<PythonChoice, 'handlers' | 'engine'> {
  /** URL of a module that exports `loadSavedModel`. */
  readonly engineModule: string;
}

/** One of the laptop's containers: what stands for AWS's images of a framework. */
export interface ContainerKind {
  /** Repositories of those images. */
  readonly repositories: readonly string[];
  /** Program of its process. */
  readonly entry: string;
  /** Framework that must be installed before it can start. */
  readonly needs: EngineName | null;
  /** Where the scripts of an archive run; null if none does. */
  scriptsRunIn(choice: PythonChoice): PythonChoice['handlers'] | null;
  /** Ensures that its Pythons exist. @param hasOwnPackages whether the archive asks for packages that are not in it */
  preparePython(
    spec: ContainerSpec,
    choice: PythonChoice,
    script: { readonly hasScript: boolean; readonly hasOwnPackages: boolean },
  ): Promise<ContainerPythons>;
  /** Why it cannot run a model, with the remedy; undefined if it can. */
  check(model: CheckedModel, choice: CheckChoice): Promise<string | undefined>;
}
