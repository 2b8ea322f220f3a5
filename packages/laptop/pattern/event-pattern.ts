import { isRecord } from '../kernel/is-record.ts';
import { PatternProblem } from './pattern-problem.ts';
import { parseMatcher, type ValueMatcher } from './value-matcher.ts';

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
