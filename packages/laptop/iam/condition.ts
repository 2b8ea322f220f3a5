import { CONDITION_OPERATORS, type ConditionOperator } from './condition-operators.ts';

/** The values of a request's condition keys; the keys in lower case, since policies may write them in any. */
export type Circumstances = ReadonlyMap<string, readonly string[]>;
/** Whether a condition block, or one line of it, holds for a request. */
type ConditionMatcher = (context: Circumstances) => boolean;

type Flag = string | boolean | number;
/** Operators, each with its keys, each with one or several values. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, Flag | readonly Flag[]>>>>;

/** One line of a condition block, such as `ForAnyValue:StringLikeIfExists`. */
interface NamedOperator {
  readonly quantifier: 'ForAllValues' | 'ForAnyValue' | undefined;
  /** Undefined for `Null`. */
  readonly operator: ConditionOperator | undefined;
  readonly holdsIfMissing: boolean;
}

const FORM = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/;

/** Undefined for a name that IAM does not know. */
export function readOperator(name: string): NamedOperator | undefined {
  const [, set, base = '', ifExists] = FORM.exec(name) ?? [];
  if (base === 'Null')
    return set === undefined && ifExists === undefined
      ? { quantifier: undefined, operator: undefined, holdsIfMissing: false }
      : undefined;
  const operator = CONDITION_OPERATORS.get(base);
  if (operator === undefined) return undefined;
  const quantifier = set === 'ForAllValues' || set === 'ForAnyValue' ? set : undefined;
  const holdsIfMissing =
    ifExists !== undefined ||
    quantifier === 'ForAllValues' ||
    (quantifier === undefined && operator.isNegated === true);
  return { quantifier, operator, holdsIfMissing };
}

/** All operators, all keys of each, and any of the values of a key must hold; a negated one holds for none of the values. */
export function conditionMatcher(conditions: Conditions): ConditionMatcher {
  const tests = Object.entries(conditions).flatMap(([name, keys]) => {
    const operator = readOperator(name);
    // No policy with an unknown one is taken; here it would never hold.
    if (operator === undefined) return [() => false];
    return Object.entries(keys).map(([key, listed]) =>
      keyMatcher(operator, key.toLowerCase(), [listed].flat().map(String)),
    );
  });
  return (context) => tests.every((holds) => holds(context));
}

function keyMatcher(
  { quantifier, operator, holdsIfMissing }: NamedOperator,
  key: string,
  wanted: readonly string[],
): ConditionMatcher {
  if (operator === undefined)
    return (context) => wanted.some((flag) => String(!context.has(key)) === flag.toLowerCase());
  const alternatives = wanted.map(operator.matcher);
  const isNegated = operator.isNegated === true;
  const holds = (value: string): boolean => alternatives.some((matches) => matches(value)) !== isNegated;
  return (context) => {
    const values = context.get(key);
    if (values === undefined) return holdsIfMissing;
    return quantifier === 'ForAllValues' ? values.every(holds) : values.some(holds);
  };
}
