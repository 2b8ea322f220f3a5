import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { TrainingFramework } from '../../frameworks/framework-name.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Parses the values of `--training-python`: `pytorch=/opt/conda/bin/python`.
 *
 * @returns absolute paths of interpreters by framework
 * @throws {UsageError} for another framework, or for a path without a program
 */
export function parseTrainingPythons(values: readonly string[]): Partial<Record<TrainingFramework, string>> {
  return Object.fromEntries(
    values.map((value) => {
      const [, name, file = ''] = /^([^=]+)=(.+)$/.exec(value) ?? [];
      const framework = TrainingFramework.options.find((one) => one === name);
      if (framework === undefined)
        throw new UsageError(
          `--training-python must be like pytorch=/opt/conda/bin/python, for ${TrainingFramework.options.join(' or ')}, is ${value}`,
        );
      const python = path.resolve(file);
      try {
        accessSync(python, constants.X_OK);
      } catch {
        throw new UsageError(`--training-python ${value}: there is no program ${python}`);
      }
      return [framework, python];
    }),
  );
}
