import { join } from 'node:path';
import { buildEnvironment, environmentPython, hasEnvironment } from './build-environment.ts';
import { cacheFolder } from './cache-folder.ts';

/** Frameworks whose containers can run in a Python of their own. */
export type EngineName = keyof typeof PACKAGES;

/** What the images hold that models and handlers use. The PyTorch container's toolkits are AWS's own. */
const PACKAGES = {
  tensorflow: [`tensorflow${process.platform === 'darwin' ? '' : '-cpu'}==2.21.0`, 'requests', 'pillow'],
  pytorch: [
    'torch==2.13.0',
    'sagemaker-inference==1.10.1',
    'sagemaker-pytorch-inference==2.0.25',
    'numpy',
    'pillow',
    'requests',
  ],
} as const;

export const ENGINE_NAMES: readonly EngineName[] = ['tensorflow', 'pytorch'];

export interface EngineEnvironment {
  readonly name: EngineName;
  readonly dir: string;
  readonly python: string;
  readonly packages: readonly string[];
  readonly installed: boolean;
}

/** The framework is not installed for the containers of this stack; the message holds the command. */
class EngineMissing extends Error {
  override readonly name = 'EngineMissing';
}

/** Where the framework's environment is, or would be. Its folder carries its version, so that a newer release builds a new one. */
export function describeEngine(name: EngineName, cacheDir = cacheFolder()): EngineEnvironment {
  const packages = PACKAGES[name];
  const dir = join(cacheDir, 'containers', packages[0].replace('==', '-'));
  return { name, dir, python: environmentPython(dir), packages, installed: hasEnvironment(dir) };
}

/** @throws {EngineMissing} if it is not installed */
export function requireEngine(name: EngineName, cacheDir?: string): EngineEnvironment {
  const engine = describeEngine(name, cacheDir);
  if (engine.installed) return engine;
  throw new EngineMissing(
    `${name} is not installed for this stack's containers (${engine.dir} is not there): run "inferdrop containers install ${name}"`,
  );
}

/** Builds the framework's environment. @throws {PythonMissing} {EnvironmentFailed} */
export async function installEngine(
  name: EngineName,
  onLine: (line: string) => void,
  cacheDir?: string,
): Promise<EngineEnvironment> {
  const { dir, packages } = describeEngine(name, cacheDir);
  await buildEnvironment({ dir, install: packages, onLine });
  return describeEngine(name, cacheDir);
}
