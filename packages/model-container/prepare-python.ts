import type { ContainerSpec } from './container.ts';
import type { ContainerKind, PythonChoice } from './container-kind.ts';
import type { ContainerPythons } from './container-messages.ts';
import { readHandlerScript } from './handlers/handler-script.ts';

/** pip has no index to install from. */
class PackagesUnreachable extends Error {
  override readonly name = 'PackagesUnreachable';
}

/**
 * Ensures that a container's Pythons exist; the archive's requirements are installed now.
 *
 * @throws {PackagesUnreachable} {EngineMissing} {PythonMissing} {EnvironmentFailed} with the remedy
 */
export async function preparePython(
  kind: ContainerKind,
  spec: ContainerSpec,
  choice: PythonChoice,
): Promise<ContainerPythons> {
  const { hasInferenceScript, hasLib, hasRequirements, needsIndex } = await readHandlerScript(spec.modelDir);
  const hasOwnPackages = hasRequirements && !hasLib;
  if (spec.networkIsolation && hasOwnPackages && needsIndex)
    throw new PackagesUnreachable(
      'code/requirements.txt cannot be installed: the model has EnableNetworkIsolation, so that pip reaches no package index. Pack the ' +
        'packages into code/lib, or make the model without isolation',
    );
  return kind.preparePython(spec, choice, { hasScript: hasInferenceScript, hasOwnPackages });
}
