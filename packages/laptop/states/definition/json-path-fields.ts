import type { FieldProblem } from './schema-problems.ts';

/** Fields of the JSONPath form of the language, with their JSONata replacements. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  InputPath: 'Arguments',
  OutputPath: 'Output',
  ResultPath: 'Output or Assign',
  Parameters: 'Arguments (ItemSelector in a Map)',
  ResultSelector: 'Output',
  Result: 'Output',
  ItemsPath: 'Items',
  SecondsPath: 'Seconds',
  TimestampPath: 'Timestamp',
  ErrorPath: 'Error',
  CausePath: 'Cause',
  TimeoutSecondsPath: 'TimeoutSeconds',
  MaxConcurrencyPath: 'MaxConcurrency',
  Variable: 'Condition',
  Iterator: 'ItemProcessor',
};

/** Fields with the author's own data in them. */
const DATA = new Set(['Output', 'Assign', 'Arguments', 'ItemSelector', 'Items']);

/** Says which fields of a state, or of the objects in it, belong to JSONPath. Nested blocks are looked at on their own. */
export function jsonPathProblems(value: unknown, at = ''): FieldProblem[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => jsonPathProblems(item, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const path = at === '' ? key : `${at}.${key}`;
    const replacement = REPLACEMENTS[key];
    if (replacement) return [{ field: at, message: `${onlyJsonPath(key)} (use ${replacement})` }];
    if (key === 'QueryLanguage' && member === 'JSONPath')
      return [{ field: path, message: 'JSONPath is not emulated; this stack runs JSONata only' }];
    if (DATA.has(key)) return dataProblems(member, path);
    if (key === 'ItemProcessor') return [];
    return jsonPathProblems(member, path);
  });
}

function onlyJsonPath(field: string): string {
  return `The QueryLanguage is set to 'JSONata', but field '${field}' is only supported for the 'JSONPath' QueryLanguage`;
}

function dataProblems(value: unknown, at: string): FieldProblem[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => dataProblems(item, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key.endsWith('.$')
      ? [{ field: at, message: `${onlyJsonPath(key)} (write ${key.slice(0, -2)}: "{% … %}")` }]
      : dataProblems(member, `${at}.${key}`),
  );
}
