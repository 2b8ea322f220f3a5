import { isRecord } from '../kernel/json.ts';

/** Says whether an event, or anything else made of JSON, matches. */
export type EventMatcher = (event: unknown) => boolean;

/**
 * Reads an EventBridge event pattern: fields, which may be nested, with lists of alternatives.
 *
 * @throws {PatternProblem} naming the field
 */
export function parseEventPattern(pattern: unknown): EventMatcher {
  if (!isRecord(pattern)) throw new PatternProblem('', 'must be a JSON object');
  return parseObject(pattern, '');
}

function parseObject(pattern: Readonly<Record<string, unknown>>, path: string): EventMatcher {
  const fields = Object.entries(pattern).map(([name, value]) => {
    const field = path === '' ? name : `${path}.${name}`;
    if (name === '$or') throw new PatternProblem(field, 'is not emulated by this stack: use a rule for each');
    return parseField(name, value, field);
  });
  if (fields.length === 0) throw new PatternProblem(path, 'empty objects are not allowed');
  return (event) => fields.every((matches) => matches(event));
}

function parseField(name: string, value: unknown, path: string): EventMatcher {
  if (isRecord(value)) {
    const inner = parseObject(value, path);
    // A field that is not there still matches an inner {"exists": false}.
    return (event) => {
      const member = memberOf(event, name);
      return Array.isArray(member) ? member.some((item) => inner(item)) : inner(member);
    };
  }
  if (!Array.isArray(value))
    throw new PatternProblem(path, `must be an object or a list, is ${JSON.stringify(value)}`);
  if (value.length === 0) throw new PatternProblem(path, 'empty lists are not allowed');
  const matchers = value.map((item: unknown) => parseMatcher(item, path));
  return (event) => {
    const leaves = leavesOf(memberOf(event, name));
    return matchers.some((matcher) => matchesLeaves(matcher, leaves));
  };
}

function matchesLeaves(matcher: ValueMatcher, leaves: readonly unknown[]): boolean {
  if (matcher.absent) return leaves.length === 0;
  return leaves.some(matcher.matches);
}

function memberOf(event: unknown, name: string): unknown {
  return isRecord(event) && Object.hasOwn(event, name) ? event[name] : undefined;
}

/** A list matches if one of its items does; an object is not a leaf, and an empty list counts as absent. */
function leavesOf(value: unknown): readonly unknown[] {
  if (value === undefined || isRecord(value)) return [];
  return Array.isArray(value) ? value.flatMap(leavesOf) : [value];
}

/** One alternative of a field. */
interface ValueMatcher {
  /** Matches only if the field is not there. */
  readonly absent: boolean;
  readonly matches: (leaf: unknown) => boolean;
}

type Leaf = ValueMatcher['matches'];

/** @throws {PatternProblem} for an operator that does not exist, or a value it does not take */
function parseMatcher(alternative: unknown, path: string): ValueMatcher {
  if (!isRecord(alternative)) return present(exact(alternative, path));
  const [operator, ...others] = Object.keys(alternative);
  if (operator === undefined || others.length > 0)
    throw new PatternProblem(path, `one operator an object, is ${JSON.stringify(alternative)}`);
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
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value))
    throw new PatternProblem(path, `${JSON.stringify(value)} is not a string, number, boolean or null`);
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

/** An invalid pattern. Callers give it the error code of their API. */
class PatternProblem extends Error {
  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.name = 'PatternProblem';
  }
}
