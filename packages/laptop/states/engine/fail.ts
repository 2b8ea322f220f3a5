import type { FailState } from '../definition/machine.ts';
import { StatesError } from '../states-error.ts';
import type { Engine } from './engine.ts';
import type { Visit } from './thread.ts';
import { bindingsOf } from './visit.ts';

/** @throws {StatesError} always: the error that the state names */
export async function runFail(engine: Engine, state: FailState, visit: Visit): Promise<never> {
  const bindings = bindingsOf(visit);
  const text = async (field: 'Error' | 'Cause'): Promise<string | undefined> => {
    const template = state[field];
    if (template === undefined) return undefined;
    const value = await engine.evaluate(template, field, bindings);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  throw new StatesError(await text('Error'), await text('Cause'));
}
