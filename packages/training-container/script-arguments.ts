import type { Hyperparameters } from './hyperparameters.ts';
import { sortedEntries, toPythonText } from './python-text.ts';
import { isMap, type PythonValue } from './python-value.ts';

/**
 * The arguments of a script, as AWS's training toolkit makes them of hyperparameters: names in order, `--name value`, `-n value`
 * for one letter; `True`, `False`, nothing for null; a list as Python writes it, a map as `a=x,b=1`.
 */
export function scriptArguments(user: Hyperparameters): readonly string[] {
  return sortedEntries(user).flatMap(([name, value]) => [argumentName(name), argumentValue(value)]);
}

function argumentName(name: string): string {
  if (name === '') return '';
  return Array.from(name).length > 1 ? `--${name}` : `-${name}`;
}

function argumentValue(value: PythonValue): string {
  if (value === null) return '';
  if (isMap(value))
    return sortedEntries(value)
      .map(([key, member]) => `${key}=${toPythonText(member)}`)
      .join(',');
  return toPythonText(value);
}
