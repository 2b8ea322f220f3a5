import { runTool } from '@inferdrop/model-container/run-tool';
import { TrainingRefused, type TrainingRequest } from '@inferdrop/training-container/training-request';
import type { TrainingImage } from './training-image.ts';

/** Runtime of scripts in place of an image. */
export interface TrainingRuntime {
  readonly framework: TrainingRequest['framework'];
  /** Absolute path of the interpreter. */
  readonly python: string;
  /** `3.11.7` */
  readonly pythonVersion: string;
  /** Version of the framework; undefined where the interpreter does not have it. */
  readonly version?: string;
  /** Whether Keras 2 is there beside the Keras 3 of TensorFlow 2.16 and later. */
  readonly hasKeras2?: boolean;
}

const TITLES = { tensorflow: 'TensorFlow', pytorch: 'PyTorch' } as const;

/** Names under which a framework is published. */
const PACKAGES = {
  tensorflow: ['tensorflow', 'tensorflow-cpu', 'tensorflow-macos', 'tensorflow-gpu'],
  pytorch: ['torch'],
} as const;

/** Prints the versions of Python, of the first package that is there and of Keras 2; without importing them, which takes seconds. */
const PROBE = `
import sys
try:
    from importlib.metadata import version
except ImportError:
    from pkg_resources import get_distribution
    version = lambda name: get_distribution(name).version
print("python", "%d.%d.%d" % sys.version_info[:3])
for name in sys.argv[1:]:
    try:
        print("framework", version(name))
        break
    except Exception:
        pass
try:
    print("keras2", version("tf-keras"))
except Exception:
    pass
`;

/**
 * Asks an interpreter for its version and for that of a framework.
 *
 * @throws {TrainingRefused} if it does not run
 */
export async function probeRuntime(
  framework: TrainingRuntime['framework'],
  python: string,
): Promise<TrainingRuntime> {
  const { code, output } = await runTool(python, ['-c', PROBE, ...PACKAGES[framework]]);
  const pythonVersion = /^python (\S+)$/m.exec(output)?.[1];
  if (code !== 0 || pythonVersion === undefined)
    throw new TrainingRefused([
      `${python} must be a Python, it ended with code ${code}: ${output.slice(-200)}`,
    ]);
  const version = /^framework (\S+)$/m.exec(output)?.[1];
  const hasKeras2 = /^keras2 /m.test(output);
  return { framework, python, pythonVersion, ...(version !== undefined && { version }), hasKeras2 };
}

/** The first TensorFlow with Keras 3, which no longer takes `model.save(folder)` and models of Keras 2. */
const KERAS_3 = { major: 2, minor: 16 } as const;

/** Environment variables that put `tf-keras` (Keras 2) in the place of Keras 3 where the image that was asked for has Keras 2. */
export function kerasVariables(
  asked: string | undefined,
  { framework, version: found, hasKeras2 = false }: TrainingRuntime,
): Readonly<Record<string, string>> {
  return framework === 'tensorflow' && hasKeras2 && hasKeras3(asked) === false && hasKeras3(found) === true
    ? { TF_USE_LEGACY_KERAS: '1' }
    : {};
}

function hasKeras3(version: string | undefined): boolean | undefined {
  if (version === undefined) return undefined;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > KERAS_3.major || (major === KERAS_3.major && minor >= KERAS_3.minor);
}

/** `PyTorch 2.13.0 / Python 3.11.7`, in the characters that a tag may have. */
export function runtimeText({ framework, version, pythonVersion }: TrainingRuntime): string {
  const title = TITLES[framework];
  return `${version === undefined ? `no ${title}` : `${title} ${version}`} / Python ${pythonVersion}`;
}

/** The log's line on the requested version. */
export function runtimeRemark({ framework, version }: TrainingImage, runtime: TrainingRuntime): string {
  const asked = version === undefined ? 'names no version' : `has ${TITLES[framework]} ${version}`;
  const keras =
    'TF_USE_LEGACY_KERAS' in kerasVariables(version, runtime) ? ', with Keras 2 as in the image' : '';
  return `the image ${asked}; what runs here is ${runtimeText(runtime)} (${runtime.python})${keras}`;
}

/** Why an image cannot be replaced: another major version is another library. Undefined if it can. */
export function versionProblem(
  { framework, version: asked }: TrainingImage,
  { version: found, python }: TrainingRuntime,
): string | undefined {
  if (asked === undefined || found === undefined || majorOf(asked) === majorOf(found)) return undefined;
  const title = TITLES[framework];
  return (
    `the image has ${title} ${asked}, this machine ${title} ${found} (${python}): name an image with ${title} ${majorOf(found)}, ` +
    `or start the stack with --training-python ${framework}=PATH of a Python that has ${title} ${majorOf(asked)}, or with --any-framework-version`
  );
}

function majorOf(version: string): string | undefined {
  return version.split('.', 1)[0];
}
