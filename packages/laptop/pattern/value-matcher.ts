import { isRecord } from '../kernel/is-record.ts';
import { PatternProblem } from './pattern-problem.ts';

/** One alternative of a field. */
export interface ValueMatcher {
  /** Matches only if the field is not there. */
  readonly absent: boolean;
  readonly matches: (leaf: unknown) => boolean;
}

type Leaf = ValueMatcher['matches'];

/** @throws {PatternProblem} for an operator that does not exist, or a value it does not take */
export function parseMatcher(alternative: unknown, path: string): ValueMatcher {
  if (!isRecord(alternative)) return present(exact(alternative, path));
  const [operator, ...others] = Object.keys(alternative);
  if (operator === undefined || others.length > 0) {
    throw new PatternProblem(path, `one operator an object, is ${JSON.stringify(alternative)}`);
  }
  const operand = alternative[operator];
  if (operator === 'exists') {
    if (typeof operand !== 'boolean') throw new PatternProblem(path, 'exists must be true or false');
    return operand ? present(() => true) : { absent: true, matches: () => false };
  }
  return present(parseOperator(operator, operand, path));
}

function present(matches: Leaf): ValueMatcher {
  return { absent: false, matches };
}

function exact(value: unknown, path: string): Leaf {
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) {
    throw new PatternProblem(path, `${JSON.stringify(value)} is not a string, number, boolean or null`);
  }
  return (leaf) => leaf === value;
}

function parseOperator(operator: string, operand: unknown, path: string): Leaf {
  switch (operator) {
    case 'prefix': {
      const wanted = text(operand, operator, path);
      return onText((leaf) => leaf.startsWith(wanted));
    }
    case 'suffix': {
      const wanted = text(operand, operator, path);
      return onText((leaf) => leaf.endsWith(wanted));
    }
    case 'anything-but':
      return parseAnythingBut(operand, path);
    case 'equals-ignore-case':
    case 'wildcard':
    case 'numeric':
    case 'cidr':
      throw new PatternProblem(path, `${operator} is not emulated by this stack`);
    default:
      throw new PatternProblem(path, `unrecognized match type ${operator}`);
  }
}

function parseAnythingBut(operand: unknown, path: string): Leaf {
  const [operator] = isRecord(operand) ? Object.keys(operand) : [];
  const inner = operator === undefined || !isRecord(operand) ? operand : operand[operator];
  const unwanted = (Array.isArray(inner) ? inner : [inner]).map((item: unknown) =>
    operator === undefined ? exact(item, path) : parseOperator(operator, item, path),
  );
  if (unwanted.length === 0) throw new PatternProblem(path, 'anything-but must name a value');
  return (leaf) => !unwanted.some((matches) => matches(leaf));
}

function onText(matches: (leaf: string) => boolean): Leaf {
  return (leaf) => typeof leaf === 'string' && matches(leaf);
}

function text(operand: unknown, operator: string, path: string): string {
  if (typeof operand === 'string') return operand;
  throw new PatternProblem(path, `${operator} must be a string, is ${JSON.stringify(operand)}`);
}
