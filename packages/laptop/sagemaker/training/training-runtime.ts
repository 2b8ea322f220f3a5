import { runTool } from '@inferdrop/model-container/internal/run-tool';
import {
  FRAMEWORK_NAMES,
  type FrameworkName,
  FRAMEWORKS,
} from '@inferdrop/training-container/internal/frameworks';
import { TrainingRefused } from '@inferdrop/training-container/training-request';

/** Promises of an image to its script, derived only from its name. */
interface TrainingImage {
  readonly framework: FrameworkName;
  /** `2.12` or `1.15.2`, of the framework; undefined for a digest or another tag. */
  readonly version?: string;
}

/** Framework and version of a training image; undefined for one that this stack cannot run. */
export function parseTrainingImage(image: string): TrainingImage | undefined {
  const name = image.slice(image.indexOf('/') + 1);
  const repository = name.replace(/[:@].*$/s, '');
  const framework = FRAMEWORK_NAMES.find((one) => FRAMEWORKS[one].repositories.includes(repository));
  if (framework === undefined) return undefined;
  const version = /:(\d+(?:\.\d+)+)(?:-|@|$)/.exec(name)?.[1];
  return { framework, ...(version !== undefined && { version }) };
}

/** Repositories of the images that this stack runs. */
export const TRAINING_REPOSITORIES: readonly string[] = Object.values(FRAMEWORKS).flatMap(
  ({ repositories }) => repositories,
);

/** Runtime of scripts instead of an image. */
export interface TrainingRuntime {
  readonly framework: FrameworkName;
  /** Absolute path of the interpreter. */
  readonly python: string;
  /** `3.11.7` */
  readonly pythonVersion: string;
  /** Version of the framework; undefined if the interpreter does not have it. */
  readonly version?: string;
  /** Whether the package of the framework's legacy part is there. */
  readonly hasLegacy?: boolean;
}

/**
 * Prints the versions of Python and of the first package that is there, and whether the first argument is installed; without importing
 * them, which takes seconds.
 */
const PROBE = `
import sys
try:
    from importlib.metadata import version
except ImportError:
    from pkg_resources import get_distribution
    version = lambda name: get_distribution(name).version
print("python", "%d.%d.%d" % sys.version_info[:3])
for name in sys.argv[2:]:
    try:
        print("framework", version(name))
        break
    except Exception:
        pass
try:
    print("legacy", version(sys.argv[1]))
except Exception:
    pass
`;

/**
 * Asks an interpreter for its version and a framework's version.
 *
 * @throws {TrainingRefused} if it does not run
 */
export async function probeRuntime(framework: FrameworkName, python: string): Promise<TrainingRuntime> {
  const { packages, legacy } = FRAMEWORKS[framework];
  const { code, output } = await runTool(python, ['-c', PROBE, legacy?.package ?? '', ...packages]);
  const pythonVersion = /^python (\S+)$/m.exec(output)?.[1];
  if (code !== 0 || pythonVersion === undefined)
    throw new TrainingRefused([
      `${python} must be a Python, it ended with code ${code}: ${output.slice(-200)}`,
    ]);
  const version = /^framework (\S+)$/m.exec(output)?.[1];
  const hasLegacy = /^legacy /m.test(output);
  return { framework, python, pythonVersion, ...(version !== undefined && { version }), hasLegacy };
}

/**
 * Environment variables that put the legacy part of a framework in the place of the newer one where the image that was asked
 * for has it.
 */
export function legacyVariables(
  asked: string | undefined,
  { framework, version: found, hasLegacy = false }: TrainingRuntime,
): Readonly<Record<string, string>> {
  return (hasLegacy && FRAMEWORKS[framework].legacy?.variables({ asked, found })) || {};
}

/** `PyTorch 2.13.0 / Python 3.11.7`, in the characters that a tag may have. */
export function runtimeText({ framework, version, pythonVersion }: TrainingRuntime): string {
  const { title } = FRAMEWORKS[framework];
  return `${version === undefined ? `no ${title}` : `${title} ${version}`} / Python ${pythonVersion}`;
}

/** The log's line on the requested version. */
export function runtimeRemark({ framework, version }: TrainingImage, runtime: TrainingRuntime): string {
  const { title, legacy } = FRAMEWORKS[framework];
  const asked = version === undefined ? 'names no version' : `has ${title} ${version}`;
  const isLegacy = Object.keys(legacyVariables(version, runtime)).length > 0;
  const remark = legacy !== undefined && isLegacy ? `, ${legacy.remark}` : '';
  return `the image ${asked}; what runs here is ${runtimeText(runtime)} (${runtime.python})${remark}`;
}

/** Why an image cannot be replaced, and the remedy: another major version is another library. Undefined if it can. */
export function versionProblem(
  { framework, version: asked }: TrainingImage,
  { version: found, python }: TrainingRuntime,
): string | undefined {
  if (asked === undefined || found === undefined || majorOf(asked) === majorOf(found)) return undefined;
  const { title } = FRAMEWORKS[framework];
  return (
    `the image has ${title} ${asked}, this machine ${title} ${found} (${python}): name an image with ${title} ${majorOf(found)}, ` +
    `or start the stack with --training-python ${framework}=PATH of a Python that has ${title} ${majorOf(asked)}`
  );
}

function majorOf(version: string): string | undefined {
  return version.split('.', 1)[0];
}
