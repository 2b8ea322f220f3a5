import { expressionIn, syntaxProblem } from '../expression/compile.ts';
import { innerBlocks } from './flow.ts';
import type { Block, State } from './machine.ts';
import { type DefinitionProblem, problemOf } from './problem.ts';

interface FoundExpression {
  /** Path such as `Output.total`. */
  readonly field: string;
  readonly source: string;
}

const NOT_DATA = new Set([
  'name',
  'path',
  'Type',
  'Comment',
  'Next',
  'Default',
  'Resource',
  'processor',
  'integration',
]);

/** Every `{% … %}` of one state, not of the blocks inside it. */
export function expressionsOf(state: State): FoundExpression[] {
  return textsOf(state).flatMap(({ field, source: text }) => {
    const source = expressionIn(text);
    return source === undefined ? [] : [{ field, source }];
  });
}

function textsOf(state: State): FoundExpression[] {
  return Object.entries(state).flatMap(([field, value]) =>
    NOT_DATA.has(field) ? [] : textsIn(value, field),
  );
}

function textsIn(value: unknown, field: string): FoundExpression[] {
  if (typeof value === 'string') return [{ field, source: value }];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => textsIn(item, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(member, `${field}.${key}`));
}

/** Expressions that JSONata does not parse, and texts that begin as one and do not end so. */
export function expressionProblems(block: Block): DefinitionProblem[] {
  return [...block.states.values()].flatMap((state) => [
    ...expressionsOf(state).flatMap(({ field, source }) => {
      const problem = syntaxProblem(source);
      return problem === undefined ? [] : [problemOf(state, field, `${problem} in {% ${source} %}`)];
    }),
    ...textsOf(state)
      .filter(({ source }) => source.startsWith('{%') && !source.endsWith('%}'))
      .map(({ field }) => problemOf(state, field, 'JSONata string must start with {% and end with %}')),
    ...innerBlocks(state).flatMap(expressionProblems),
  ]);
}
