import { describeEngine, type EngineName } from '@inferdrop/model-container/internal/engine-environment';
import { TrainingFramework } from '../../frameworks/framework-name.ts';
import { Refusal } from '../refusal.ts';
import { UsageError } from '../usage-error.ts';
import type { Machine } from './laptop-stack.ts';

/** The examples that train, by their folders below `examples/train-fashion-mnist`. */
export type TrainingExample = TrainingFramework | 'horovod';

interface Needs {
  /** Framework that `inferdrop containers install` installs for the example. */
  readonly engine: EngineName;
  readonly what: string;
  /**
   * Framework of `--training-python` that can replace the installed one; null if the trained model is judged in the engine's
   * own container.
   */
  readonly python: keyof NonNullable<Machine['trainingPythons']> | null;
}

const NEEDS: Readonly<Record<TrainingExample, Needs>> = {
  tensorflow: { engine: 'tensorflow', what: 'TensorFlow', python: 'tensorflow' },
  pytorch: { engine: 'pytorch', what: 'PyTorch and its inference container', python: null },
  horovod: { engine: 'tensorflow-horovod', what: 'TensorFlow and Horovod', python: 'tensorflow' },
};

/** Examples that run without being named; Horovod is built from source, and therefore only runs on request. */
const UNNAMED = TrainingFramework.options;

/**
 * The named example, else the first with its Python installed; an interpreter of `--training-python` comes before installed ones.
 *
 * @param named undefined if the user named none
 * @throws {UsageError} for another name, {Refusal} if the Python is not there, with the command that installs it
 */
export function chooseTrainingExample(
  named: string | undefined,
  pythons: Machine['trainingPythons'] = {},
  isInstalled = (engine: EngineName): boolean => describeEngine(engine).installed,
): TrainingExample {
  const isThere = ({ engine, python }: Needs): boolean =>
    isInstalled(engine) || (python !== null && pythons[python] !== undefined);
  if (named === undefined) {
    const given = UNNAMED.filter((one) => pythons[one] !== undefined);
    const found = [...given, ...UNNAMED].find((one) => isThere(NEEDS[one]));
    if (found !== undefined) return found;
    throw new Refusal(
      `--train needs a Python with TensorFlow or PyTorch: ${UNNAMED.map((one) => remedy(NEEDS[one])).join('; or ')}`,
    );
  }
  if (!isExample(named))
    throw new UsageError(`--train takes ${Object.keys(NEEDS).join(' or ')}, is ${named}`);
  if (isThere(NEEDS[named])) return named;
  throw new Refusal(`--train ${named} needs ${NEEDS[named].what}: ${remedy(NEEDS[named])}`);
}

function isExample(name: string): name is TrainingExample {
  return Object.hasOwn(NEEDS, name);
}

function remedy({ engine, python }: Needs): string {
  const install = `run "inferdrop containers install ${engine}" (${describeEngine(engine).cost})`;
  return python === null
    ? install
    : `${install}, or name one that is there, --training-python ${python}=PATH`;
}
