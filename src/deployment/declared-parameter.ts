import * as z from 'zod';

const text = z.union([z.string(), z.number()]).transform(String);

/** Parameter of a CloudFormation template, as far as its values are judged here. */
export const DeclaredParameter = z.object({
  Type: z.enum(['String', 'Number', 'CommaDelimitedList']),
  Default: text.optional(),
  AllowedPattern: z.string().optional(),
  AllowedValues: z.array(text).optional(),
  MinValue: z.number().optional(),
  MaxValue: z.number().optional(),
  MinLength: z.number().optional(),
  MaxLength: z.number().optional(),
  ConstraintDescription: z.string().optional(),
  NoEcho: z.boolean().default(false),
});
export type DeclaredParameter = z.infer<typeof DeclaredParameter>;

/** Parameters of a template by their names in CloudFormation. */
export type DeclaredParameters = Readonly<Record<string, DeclaredParameter>>;

/** Name of a parameter on the command line, with a small first letter: `kmsKeyArn`. */
export function optionName(parameter: string): string {
  return parameter.slice(0, 1).toLowerCase() + parameter.slice(1);
}

/** The constraint of its parameter that a value breaks, as CloudFormation judges it; undefined if it breaks none. */
export function brokenConstraint(value: string, declared: DeclaredParameter): string | undefined {
  const parts =
    declared.Type === 'CommaDelimitedList' ? value.split(',').map((part) => part.trim()) : [value];
  for (const part of parts) {
    const rule = declared.Type === 'Number' ? brokenBound(part, declared) : brokenForm(part, declared);
    if (rule !== undefined) return declared.ConstraintDescription ?? rule;
  }
  return undefined;
}

function brokenBound(
  value: string,
  { MinValue = -Infinity, MaxValue = Infinity }: DeclaredParameter,
): string | undefined {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) return 'a number';
  if (number < MinValue) return `at least ${MinValue}`;
  return number > MaxValue ? `at most ${MaxValue}` : undefined;
}

function brokenForm(
  value: string,
  { AllowedPattern, AllowedValues, MinLength = 0, MaxLength = Infinity }: DeclaredParameter,
): string | undefined {
  if (AllowedValues !== undefined && !AllowedValues.includes(value))
    return `one of ${AllowedValues.join(', ')}`;
  if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value))
    return `text of the form ${AllowedPattern}`;
  if (value.length < MinLength) return `of at least ${MinLength} characters`;
  return value.length > MaxLength ? `of at most ${MaxLength} characters` : undefined;
}
