import { AwsError } from '../gateway/aws-error.ts';
import type { TemplateParameter } from './template.ts';

export type ParameterValue = string | readonly string[];

/**
 * Gives every declared parameter its value: what the deployment says, else the default.
 *
 * @throws {AwsError} `ValidationError` for a missing, undeclared or forbidden value
 */
export function resolveParameters(
  declared: Readonly<Record<string, TemplateParameter>>,
  given: Readonly<Record<string, string>>,
): ReadonlyMap<string, ParameterValue> {
  const undeclared = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  if (undeclared.length > 0) {
    throw new AwsError(
      'ValidationError',
      `Parameters: [${undeclared.join(', ')}] do not exist in the template`,
    );
  }
  return new Map(
    Object.entries(declared).map(([name, parameter]) => {
      const value = given[name] ?? parameter.Default?.toString();
      if (value === undefined) {
        throw new AwsError('ValidationError', `Parameters: [${name}] must have values`);
      }
      checkValue(name, value, parameter);
      return [
        name,
        parameter.Type === 'CommaDelimitedList' ? value.split(',').map((part) => part.trim()) : value,
      ];
    }),
  );
}

function checkValue(name: string, value: string, parameter: TemplateParameter): void {
  const refuse = (rule: string): never => {
    throw new AwsError('ValidationError', `Parameter '${name}' must ${rule}, is '${value}'`);
  };
  if (parameter.Type === 'Number') {
    const number = Number(value);
    if (value === '' || Number.isNaN(number)) refuse('be a number');
    if (parameter.MinValue !== undefined && number < parameter.MinValue)
      refuse(`be at least ${parameter.MinValue}`);
    if (parameter.MaxValue !== undefined && number > parameter.MaxValue)
      refuse(`be at most ${parameter.MaxValue}`);
  }
  if (parameter.AllowedValues && !parameter.AllowedValues.map(String).includes(value)) {
    refuse(`be one of ${parameter.AllowedValues.join(', ')}`);
  }
  if (
    parameter.AllowedPattern !== undefined &&
    !new RegExp(`^(?:${parameter.AllowedPattern})$`).test(value)
  ) {
    refuse(`match pattern ${parameter.AllowedPattern}`);
  }
}
