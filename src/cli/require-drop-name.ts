import { dropNameProblems } from '../plan/judge/judge-configuration.ts';
import { UsageError } from './usage-error.ts';

/** Refuses, before anything is uploaded, a name under which the plan would refuse the drop. @throws {UsageError} */
export function requireDropName(name: string): void {
  if (name.includes('/') || name === '')
    throw new UsageError(`--name must be one key part without /, is ${name}`);
  const [problem] = dropNameProblems(name);
  if (problem !== undefined) throw new UsageError(`--name ${problem.message}`);
}
