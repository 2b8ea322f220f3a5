import { globMatcher } from './glob.ts';
import type { Conditions } from './policy-document.ts';

/** Keys are compared in lower case: policies may write them in any. */
export type ConditionMatcher = (context: ReadonlyMap<string, string>) => boolean;

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[]>>;
/** Says whether a value that is there, or undefined, meets one of the values that the policy lists. */
type Operator = (wanted: string) => (value: string | undefined) => boolean;

const equals: Operator = (wanted) => (value) => value === wanted;
const like: Operator = (wanted) => {
  const matches = globMatcher(wanted);
  return (value) => value !== undefined && matches(value);
};
/** Each of the six parts for itself: a star does not reach over a colon. */
const arnLike: Operator = (wanted) => {
  const parts = arnParts(wanted).map(globMatcher);
  return (value) => value !== undefined && arnParts(value).every((part, index) => parts[index]?.(part));
};
const isMissing: Operator = (wanted) => (value) => String(value === undefined) === wanted;

/** All operators, all keys of each, and any of the values of a key must hold; a negated one holds for none of the values. */
export function conditionMatcher(conditions: Conditions): ConditionMatcher {
  const tests = [
    ...each(conditions.StringEquals, equals),
    ...each(conditions.StringNotEquals, equals, true),
    ...each(conditions.StringLike, like),
    ...each(conditions.StringNotLike, like, true),
    ...each(conditions.ArnEquals, arnLike),
    ...each(conditions.ArnLike, arnLike),
    ...each(conditions.ArnNotEquals, arnLike, true),
    ...each(conditions.ArnNotLike, arnLike, true),
    ...each(conditions.Bool, equals),
    ...each(conditions.Null, isMissing),
  ];
  return (context) => tests.every((holds) => holds(context));
}

function each(values: Values | undefined, operator: Operator, isNegated = false): ConditionMatcher[] {
  return Object.entries(values ?? {}).map(([name, listed]) => {
    const key = name.toLowerCase();
    const alternatives = [listed].flat().map((wanted) => operator(String(wanted)));
    return (context) => {
      const value = context.get(key);
      return alternatives.some((holds) => holds(value)) !== isNegated;
    };
  });
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}
