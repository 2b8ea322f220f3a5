import { expressionIn, syntaxProblem } from '../expression/compile.ts';
import { innerBlocks } from './flow.ts';
import type { Block, State } from './machine.ts';
import type { DefinitionProblem } from './problem.ts';

export interface FoundExpression {
  /** As in `Output.total`. */
  readonly field: string;
  readonly source: string;
}

const NOT_DATA = new Set([
  'name',
  'Type',
  'Comment',
  'Next',
  'Default',
  'Resource',
  'branches',
  'processor',
  'integration',
  'mode',
]);

/** Every `{% … %}` of one state, not of the blocks inside it. */
export function expressionsOf(state: State): FoundExpression[] {
  return Object.entries(state).flatMap(([field, value]) =>
    NOT_DATA.has(field) ? [] : expressionsIn(value, field),
  );
}

function expressionsIn(value: unknown, field: string): FoundExpression[] {
  if (typeof value === 'string') {
    const source = expressionIn(value);
    return source === undefined ? [] : [{ field, source }];
  }
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => expressionsIn(item, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => expressionsIn(member, `${field}.${key}`));
}

/** Expressions that JSONata does not parse. */
export function expressionProblems(block: Block): DefinitionProblem[] {
  return [...block.states.values()].flatMap((state) => [
    ...expressionsOf(state).flatMap(({ field, source }) => {
      const problem = syntaxProblem(source);
      return problem === undefined
        ? []
        : [{ state: state.name, message: `${field}: ${problem} in {% ${source} %}` }];
    }),
    ...innerBlocks(state).flatMap(expressionProblems),
  ]);
}
