import { Condition } from '../../problem/conditions.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';

/**
 * The parts of a run's name that an edge has accepted.
 *
 * @throws `RunNameInvalid` if it is not a run's name
 */
export function requireRun(name: string): RunParts {
  const run = parseRunId(name);
  if (run !== undefined) return run;
  const message = `run must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001, is ${JSON.stringify(name)}`;
  throw new Condition('RunNameInvalid', message);
}
