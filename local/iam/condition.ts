import { globMatcher } from './glob.ts';
import type { Conditions } from './policy-document.ts';

export type ConditionMatcher = (context: Readonly<Record<string, string>>) => boolean;

type Values = Readonly<Record<string, string | boolean | readonly string[]>>;
/** Says whether a value that is there, or undefined, meets one of the values that the policy lists. */
type Operator = (wanted: string) => (value: string | undefined) => boolean;

const equals: Operator = (wanted) => (value) => value === wanted;
const like: Operator = (wanted) => {
  const matches = globMatcher(wanted);
  return (value) => value !== undefined && matches(value);
};
const isMissing: Operator = (wanted) => (value) => String(value === undefined) === wanted;

/** All operators, all keys of each, and any of the values of a key must hold; a negated one holds for none of the values. */
export function conditionMatcher(conditions: Conditions): ConditionMatcher {
  const tests = [
    ...each(conditions.StringEquals, equals),
    ...each(conditions.StringNotEquals, equals, true),
    ...each(conditions.StringLike, like),
    ...each(conditions.StringNotLike, like, true),
    ...each(conditions.ArnEquals, like),
    ...each(conditions.ArnLike, like),
    ...each(conditions.Bool, equals),
    ...each(conditions.Null, isMissing),
  ];
  return (context) => tests.every((holds) => holds(context));
}

function each(values: Values | undefined, operator: Operator, isNegated = false): ConditionMatcher[] {
  return Object.entries(values ?? {}).map(([key, listed]) => {
    const alternatives = [listed].flat().map((wanted) => operator(String(wanted)));
    return (context) => {
      const value = Object.hasOwn(context, key) ? context[key] : undefined;
      return alternatives.some((holds) => holds(value)) !== isNegated;
    };
  });
}
