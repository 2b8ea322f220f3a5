import type { ChoiceState } from '../definition/machine.ts';
import { EvaluationError } from '../expression/evaluate.ts';
import type { Payload } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { Engine } from './engine.ts';
import type { Visit } from './thread.ts';
import { bindingsOf, brief, leave, type Outcome } from './visit.ts';

/** Follows the first rule that holds. The state's own Output and Assign belong to the default. */
export async function runChoice(
  engine: Engine,
  state: ChoiceState,
  visit: Visit,
  input: Payload,
): Promise<Outcome> {
  const bindings = bindingsOf(visit);
  for (const [index, rule] of state.Choices.entries()) {
    const field = `Choices[${index}]/Condition`;
    const holds = await engine.evaluate(rule.Condition, field, bindings);
    if (typeof holds !== 'boolean')
      throw new EvaluationError(field, String(rule.Condition), `must give a boolean, gave ${brief(holds)}.`);
    if (holds) return leave(engine, visit, rule, input, rule.Next);
  }
  if (state.Default === undefined)
    throw new StatesError(
      errorName.noChoiceMatched,
      `No choice rule of the state '${state.name}' matched, and it has no Default.`,
    );
  return leave(engine, visit, state, input, state.Default);
}
