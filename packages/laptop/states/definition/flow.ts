import type { Block, State } from './machine.ts';
import { type DefinitionProblem, problemOf } from './problem.ts';
import type { FieldProblem } from './schema-problems.ts';

/** Problems of transitions and of combinations of fields: what a schema of single fields cannot see. */
export function flowProblems(block: Block): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const missing = (target: string) => `Missing 'Next' target: ${target}`;
  const hasStart = block.states.has(block.startAt);
  if (!hasStart)
    problems.push({
      code: 'MISSING_TRANSITION_TARGET',
      message: missing(block.startAt),
      location: `${block.path}/StartAt`,
    });
  const reached = reachableFrom(block);
  const isEndless = ![...block.states.values()].some(isTerminal);
  for (const state of block.states.values()) {
    for (const { field, target } of targetsOf(state))
      if (!block.states.has(target))
        problems.push(problemOf(state, field, missing(target), 'MISSING_TRANSITION_TARGET'));
    if (hasStart && !isEndless && !reached.has(state.name))
      problems.push(
        problemOf(state, '', `State "${state.name}" is not reachable.`, 'MISSING_TRANSITION_TARGET'),
      );
    for (const { field, message } of stateProblems(state)) problems.push(problemOf(state, field, message));
    for (const inner of innerBlocks(state)) problems.push(...flowProblems(inner));
  }
  if (isEndless) problems.push({ code: 'MISSING_END_STATE', message: 'Workflow has no terminal state' });
  return problems;
}

function isTerminal(state: State): boolean {
  return state.Type === 'Succeed' || state.Type === 'Fail' || ('End' in state && state.End === true);
}

interface Transition {
  /** Path such as `Catch[0].Next`. */
  readonly field: string;
  readonly target: string;
}

/** The blocks inside a state: the processor of a Map. */
export function innerBlocks(state: State): readonly Block[] {
  return state.Type === 'Map' ? [state.processor] : [];
}

/** Every state that may follow. */
function targetsOf(state: State): Transition[] {
  const to = (field: string, target: string | undefined): Transition[] =>
    target === undefined ? [] : [{ field, target }];
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
      return [];
    case 'Choice':
      return [
        ...state.Choices.flatMap((rule, index) => to(`Choices[${index}].Next`, rule.Next)),
        ...to('Default', state.Default),
      ];
    case 'Pass':
    case 'Wait':
      return to('Next', state.Next);
    case 'Task':
    case 'Map':
      return [
        ...to('Next', state.Next),
        ...state.Catch.flatMap((catcher, index) => to(`Catch[${index}].Next`, catcher.Next)),
      ];
  }
}

function reachableFrom({ startAt, states }: Block): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [startAt];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = states.get(name);
    if (!state || reached.has(name)) continue;
    reached.add(name);
    open.push(...targetsOf(state).map(({ target }) => target));
  }
  return reached;
}

function stateProblems(state: State): FieldProblem[] {
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
    case 'Choice':
      return [];
    case 'Pass':
      return endingProblems(state);
    case 'Wait': {
      return [...endingProblems(state), ...oneOf(state, ['Seconds', 'Timestamp'])];
    }
    case 'Task':
      return [...endingProblems(state), ...guardProblems(state)];
    case 'Map':
      return [...endingProblems(state), ...guardProblems(state), ...itemProblems(state)];
  }
}

function endingProblems({
  Next,
  End,
}: {
  Next?: string | undefined;
  End?: boolean | undefined;
}): FieldProblem[] {
  return oneOf({ Next, End: End === true ? End : undefined }, ['Next', 'End']);
}

function oneOf(fields: object, names: readonly string[]): FieldProblem[] {
  const given = names.filter((name) => Reflect.get(fields, name) !== undefined);
  if (given.length === 1) return [];
  const message =
    given.length === 0
      ? 'This object should have only one of the following fields:'
      : 'There should only be one of the following fields:';
  return [{ field: '', message: `${message} [${names.join(', ')}]` }];
}

function guardProblems(state: Extract<State, { Retry: unknown }>): FieldProblem[] {
  return (['Retry', 'Catch'] as const).flatMap((field) =>
    state[field].flatMap(({ ErrorEquals }, index) => {
      const isLast = index === state[field].length - 1;
      if (!ErrorEquals.includes('States.ALL') || (isLast && ErrorEquals.length === 1)) return [];
      return [
        {
          field: `${field}[${index}].ErrorEquals`,
          message: 'States.ALL must appear alone and at end of list',
        },
      ];
    }),
  );
}

function itemProblems(state: Extract<State, { Type: 'Map' }>): FieldProblem[] {
  return state.Items !== undefined && state.ItemReader ? oneOf(state, ['Items', 'ItemReader']) : [];
}
