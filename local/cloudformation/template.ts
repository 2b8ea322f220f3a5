import * as z from 'zod';
import { AwsError } from '../gateway/aws-error.ts';
import { DeletionPolicy } from './stack-record.ts';

const Parameter = z.object({
  Type: z.enum(['String', 'Number', 'CommaDelimitedList']),
  Default: z.union([z.string(), z.number()]).optional(),
  AllowedPattern: z.string().optional(),
  AllowedValues: z.array(z.union([z.string(), z.number()])).optional(),
  MinValue: z.number().optional(),
  MaxValue: z.number().optional(),
  Description: z.string().optional(),
});

const Resource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Condition: z.string().optional(),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  DeletionPolicy: DeletionPolicy.optional(),
  UpdateReplacePolicy: z.string().optional(),
});

const Output = z.object({
  Value: z.unknown(),
  Description: z.string().optional(),
  Condition: z.string().optional(),
  Export: z.unknown().optional(),
});

const Template = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
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
 * Reads a template's JSON.
 *
 * @throws {AwsError} `ValidationError` for text that is no JSON, or sections this stack does not know (`Transform`, `Rules`, …)
 */
export function parseTemplate(text: string): Template {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AwsError('ValidationError', `Template format error: not JSON: ${String(error)}`);
  }
  const parsed = Template.safeParse(json);
  if (!parsed.success) {
    throw new AwsError('ValidationError', `Template format error: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}
