import { validationError } from '../kernel/aws-error.ts';
import type { TemplateParameter } from './template.ts';

/** A parameter as `Ref` gives it: a list for `CommaDelimitedList` and `List<Number>`, else text, of numbers too. */
export type ParameterValue = string | readonly string[];

/**
 * Gives every declared parameter its text: what the deployment says, else the default.
 *
 * @throws {AwsError} `ValidationError` for a missing, undeclared or forbidden value, in AWS's words
 */
export function resolveParameters(
  declared: Readonly<Record<string, TemplateParameter>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const undeclared = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  if (undeclared.length > 0 && Object.keys(declared).length === 0)
    throw validationError('Parameter values specified for a template which does not require them.');
  if (undeclared.length > 0)
    throw validationError(`Parameters: [${undeclared.join(', ')}] do not exist in the template`);
  const texts = Object.entries(declared).map(
    ([name, { Default }]) => [name, given[name] ?? Default?.toString()] as const,
  );
  const missing = texts.filter(([, text]) => text === undefined).map(([name]) => name);
  if (missing.length > 0) throw validationError(`Parameters: [${missing.join(', ')}] must have values`);
  return Object.fromEntries(
    texts.flatMap(([name, text]) => {
      const parameter = declared[name];
      if (text === undefined || !parameter) return [];
      for (const value of [toValue(text, parameter)].flat()) checkValue(name, value, parameter);
      return [[name, text]];
    }),
  );
}

/** Value of `Ref` for a parameter's text: a list if the parameter's type is a list. */
export function toValue(text: string, { Type }: Pick<TemplateParameter, 'Type'>): ParameterValue {
  return Type === 'CommaDelimitedList' || Type === 'List<Number>'
    ? text.split(',').map((part) => part.trim())
    : text;
}

function checkValue(name: string, value: string, parameter: TemplateParameter): void {
  const { AllowedValues, AllowedPattern, MinLength, MaxLength, ConstraintDescription } = parameter;
  const refuse = (rule: string): never => {
    throw validationError(
      ConstraintDescription === undefined
        ? `Parameter '${name}' must ${rule}`
        : `Parameter '${name}' failed to satisfy constraint: ${ConstraintDescription}`,
    );
  };
  if (parameter.Type.includes('Number')) checkNumber(value, parameter, refuse);
  if (AllowedValues && !AllowedValues.map(String).includes(value)) refuse('be one of AllowedValues');
  if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value))
    refuse(`match pattern ${AllowedPattern}`);
  if (MinLength !== undefined && value.length < MinLength) refuse(`contain at least ${MinLength} characters`);
  if (MaxLength !== undefined && value.length > MaxLength) refuse(`contain at most ${MaxLength} characters`);
}

function checkNumber(
  value: string,
  { MinValue, MaxValue }: TemplateParameter,
  refuse: (rule: string) => never,
): void {
  const number = Number(value);
  if (value === '' || Number.isNaN(number)) refuse('be a number');
  if (MinValue !== undefined && number < MinValue) refuse(`be a number not less than ${MinValue}`);
  if (MaxValue !== undefined && number > MaxValue) refuse(`be a number not greater than ${MaxValue}`);
}
