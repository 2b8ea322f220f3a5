import { BlockList, isIP } from 'node:net';
import { isRecord } from '../kernel/is-record.ts';
import { PatternProblem } from './pattern-problem.ts';
import { wildcardMatcher } from './wildcard.ts';

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
    case 'prefix':
    case 'suffix':
      return parseEnd(operator, operand, path);
    case 'equals-ignore-case': {
      const wanted = text(operand, operator, path).toLowerCase();
      return onText((leaf) => leaf.toLowerCase() === wanted);
    }
    case 'wildcard':
      return onText(wildcardMatcher(text(operand, operator, path), path));
    case 'anything-but':
      return parseAnythingBut(operand, path);
    case 'numeric':
      return parseNumeric(operand, path);
    case 'cidr':
      return parseCidr(text(operand, operator, path), path);
    default:
      throw new PatternProblem(path, `unrecognized match type ${operator}`);
  }
}

function parseEnd(operator: 'prefix' | 'suffix', operand: unknown, path: string): Leaf {
  const ignoreCase = isRecord(operand);
  const raw = ignoreCase ? operand['equals-ignore-case'] : operand;
  const wanted = ignoreCase ? text(raw, operator, path).toLowerCase() : text(raw, operator, path);
  return onText((leaf) => {
    const candidate = ignoreCase ? leaf.toLowerCase() : leaf;
    return operator === 'prefix' ? candidate.startsWith(wanted) : candidate.endsWith(wanted);
  });
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

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function parseNumeric(operand: unknown, path: string): Leaf {
  const problem = (): PatternProblem =>
    new PatternProblem(path, `numeric must be like [">", 0, "<=", 5], is ${JSON.stringify(operand)}`);
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) throw problem();
  const tests: Leaf[] = [];
  for (let index = 0; index < operand.length; index += 2) {
    const name: unknown = operand[index];
    const bound: unknown = operand[index + 1];
    const compare = typeof name === 'string' ? COMPARISONS[name] : undefined;
    if (!compare || typeof bound !== 'number') throw problem();
    tests.push((leaf) => typeof leaf === 'number' && compare(leaf, bound));
  }
  return (leaf) => tests.every((test) => test(leaf));
}

function parseCidr(operand: string, path: string): Leaf {
  const [address = '', bits = ''] = operand.split('/');
  const family = isIP(address);
  if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    throw new PatternProblem(path, `cidr must be like 10.0.0.0/24 or 2001:db8::/32, is ${operand}`);
  }
  const block = new BlockList();
  block.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return onText((leaf) => {
    const leafFamily = isIP(leaf);
    return leafFamily !== 0 && block.check(leaf, leafFamily === 4 ? 'ipv4' : 'ipv6');
  });
}

function onText(matches: (leaf: string) => boolean): Leaf {
  return (leaf) => typeof leaf === 'string' && matches(leaf);
}

function text(operand: unknown, operator: string, path: string): string {
  if (typeof operand === 'string') return operand;
  throw new PatternProblem(path, `${operator} must be a string, is ${JSON.stringify(operand)}`);
}
