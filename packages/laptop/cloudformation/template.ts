import * as z from 'zod';
import { AwsError, validationError } from '../kernel/aws-error.ts';
import { DeletionPolicy } from './stack-record.ts';

/** Quotas of CloudFormation, as its user guide has them: resources; and each of parameters, outputs and mappings. */
const MAX_RESOURCES = 500;
const MAX_OTHERS = 200;
const MAX_DESCRIPTION_BYTES = 1024;

const scalar = z.union([z.string(), z.number()]);
const Parameter = z.strictObject({
  Type: z.enum(['String', 'Number', 'CommaDelimitedList', 'List<Number>']),
  Default: z.union([z.string(), z.number()]).optional(),
  AllowedPattern: z.string().optional(),
  AllowedValues: z.array(scalar).optional(),
  MinValue: z.coerce.number().optional(),
  MaxValue: z.coerce.number().optional(),
  MinLength: z.coerce.number().optional(),
  MaxLength: z.coerce.number().optional(),
  ConstraintDescription: z.string().optional(),
  Description: z.string().optional(),
  NoEcho: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).optional(),
});

const Resource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  DeletionPolicy: DeletionPolicy.optional(),
  UpdateReplacePolicy: DeletionPolicy.optional(),
  Metadata: z.unknown().optional(),
});

const Output = z.strictObject({
  Value: z.unknown(),
  Description: z.string().optional(),
  Condition: z.string().optional(),
  Export: z.strictObject({ Name: z.unknown() }).optional(),
});

const Template = z.strictObject({
  AWSTemplateFormatVersion: z.literal('2010-09-09').optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.record(z.string(), Parameter).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Resources: z.record(z.string(), Resource),
  Outputs: z.record(z.string(), Output).default({}),
});

/** A CloudFormation template as far as this stack reads it. */
export type Template = z.infer<typeof Template>;
export type TemplateParameter = z.infer<typeof Parameter>;

/**
 * Parses a template's JSON.
 *
 * @throws {AwsError} `ValidationError` in AWS's words for text that is not a template, or for sections and attributes that this
 * stack does not support (`Transform`, `Rules`, `UpdatePolicy`, …)
 */
export function parseTemplate(text: string): Template {
  const json = parseJson(text);
  refuseNull(json, '');
  const parsed = Template.safeParse(json);
  if (!parsed.success) throw formatError(parsed.error.issues.map(toText).join('; '));
  refuseExcess(parsed.data);
  return parsed.data;
}

/** An error as CloudFormation names what is wrong with a template's text. */
export function formatError(message: string): AwsError {
  const isWhole = /^(Template|Invalid template)/.test(message);
  return validationError(isWhole ? message : `Template format error: ${message}`);
}

function parseJson(text: string): unknown {
  if (!text.trimStart().startsWith('{'))
    throw formatError('unsupported structure. (The local stack reads templates in JSON only.)');
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = /\(line \d+ column \d+\)/.exec(String(error))?.[0].replace(' column', ', column');
    throw formatError(`JSON not well-formed.${where ? ` ${where}` : ''}`);
  }
}

function refuseNull(value: unknown, path: string): void {
  if (value === null) throw formatError(`[${path}] 'null' values are not allowed in templates`);
  if (typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) refuseNull(inner, `${path}/${name}`);
}

/** AWS's word for a member of each section. */
const SINGULAR = new Map([
  ['Resources', 'resource'],
  ['Parameters', 'parameter'],
  ['Outputs', 'output'],
]);

function toText(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  const [sectionName = '', name, member] = path;
  const singular = SINGULAR.get(sectionName);
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.join(', ');
    return singular !== undefined && path.length === 2
      ? `Invalid template ${singular} property '${keys}'`
      : `Invalid template property or properties [${keys}]`;
  }
  const isMissing = issue.code === 'invalid_type' && /received undefined/.test(issue.message);
  if (sectionName === 'Resources' && path.length === 1)
    return 'At least one Resources member must be defined.';
  if (member === 'Type' && isMissing)
    return `[/${sectionName}/${name}] Every ${sectionName} object must contain a Type member.`;
  if (sectionName === 'Parameters' && member === 'Type') return `Unrecognized parameter type at ${name}`;
  if (member === 'DeletionPolicy' || member === 'UpdateReplacePolicy')
    return `Unrecognized ${member} for resource ${name}`;
  return `[/${path.join('/')}] ${issue.message}`;
}

function refuseExcess(template: Template): void {
  const { Resources, Parameters, Outputs, Mappings, Description = '' } = template;
  const counted = { resources: Resources, parameters: Parameters, outputs: Outputs, mappings: Mappings };
  if (Object.keys(Resources).length === 0)
    throw formatError('At least one Resources member must be defined.');
  for (const [name, members] of Object.entries(counted)) {
    const count = Object.keys(members).length;
    const most = name === 'resources' ? MAX_RESOURCES : MAX_OTHERS;
    if (count > most)
      throw formatError(`Number of ${name}, ${count}, is greater than maximum allowed, ${most}`);
  }
  if (Buffer.byteLength(Description) > MAX_DESCRIPTION_BYTES)
    throw formatError(`'Description' length is greater than ${MAX_DESCRIPTION_BYTES}.`);
  for (const [name, { Value }] of Object.entries(Outputs))
    if (Value === undefined)
      throw formatError(`[/Outputs/${name}] Every Outputs member must contain a Value object`);
  const exported = Object.values(Outputs).flatMap(({ Export }) =>
    Export ? [JSON.stringify(Export.Name)] : [],
  );
  const twice = exported.find((name, index) => exported.indexOf(name) !== index);
  if (twice !== undefined)
    throw formatError(
      `The Outputs section contains duplicate Export names: [${twice.replaceAll('"', '')}]. Specify a unique name for each export.`,
    );
  const named = { Resource: Resources, Parameter: Parameters, Output: Outputs };
  for (const [kind, members] of Object.entries(named))
    for (const name of Object.keys(members))
      if (!/^[A-Za-z0-9]+$/.test(name)) throw formatError(`${kind} name ${name} is non alphanumeric.`);
}
