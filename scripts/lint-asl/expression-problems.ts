import { expressionsOf } from '@inferdrop/laptop/internal/states/expressions';
import { innerBlocks } from '@inferdrop/laptop/internal/states/flow';
import type { Block, State } from '@inferdrop/laptop/internal/states/machine';
import { assignedBefore } from './assigned-variables.ts';
import { isFunction, namesIn } from './expression-names.ts';
import type { Problem } from './problem.ts';

/** Names in expressions that will have no value when the machine runs. */
export async function expressionProblems(block: Block): Promise<Problem[]> {
  const before = assignedBefore(block);
  const everywhere = new Set([...block.states.values()].flatMap(assignedBy));
  const problems: Problem[] = [];
  for (const state of block.states.values()) {
    const here = before.get(state.name) ?? new Set();
    for (const { field, source } of expressionsOf(state)) {
      const names = namesIn(source);
      const say = (message: string): void =>
        void problems.push({ state: state.name, message: `${field}: ${message}` });
      names.problems.forEach(say);
      for (const member of names.states) {
        const problem = statesProblem(state, field, member);
        if (problem !== undefined) say(problem);
      }
      for (const { name, sure } of names.variables) {
        if (here.has(name) || (await isFunction(name))) continue;
        if (!everywhere.has(name)) say(`no state assigns the variable $${name}`);
        else if (sure) say(`the variable $${name} has no value on some path to this state`);
      }
    }
    for (const inner of innerBlocks(state)) {
      problems.push(...(await expressionProblems(inner)));
    }
  }
  return problems;
}

function assignedBy(state: State): string[] {
  const assigns: (Readonly<Record<string, unknown>> | undefined)[] = [];
  if ('Assign' in state) assigns.push(state.Assign);
  if (state.Type === 'Choice') assigns.push(...state.Choices.map((rule) => rule.Assign));
  if ('Catch' in state) assigns.push(...state.Catch.map((catcher) => catcher.Assign));
  return assigns.flatMap((assign) => Object.keys(assign ?? {}));
}

function statesProblem(state: State, field: string, member: string): string | undefined {
  switch (member) {
    case 'input':
    case 'context':
      return undefined;
    case 'result': {
      const hasResult = state.Type === 'Task' || state.Type === 'Map';
      return hasResult && /^(Output|Assign)\b/.test(field) ? undefined : '$states.result has no value here';
    }
    case 'errorOutput':
      return field.startsWith('Catch[') ? undefined : '$states.errorOutput has a value in Catch only';
    default:
      return `$states.${member} does not exist: it has input, result, errorOutput and context`;
  }
}
