import * as z from 'zod';
import { validationError } from '../kernel/aws-error.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import type { StackRecord } from './stack-record.ts';
import type { Deployment, Stacks } from './stacks.ts';
import { readTemplate, TemplateSource } from './template-source.ts';

/** Dependencies of CloudFormation's actions. */
export interface CloudFormationDeps {
  readonly stacks: Stacks;
  readonly objects: ObjectAccess;
}

const Parameter = z.strictObject({
  ParameterKey: z.string(),
  ParameterValue: z.string().optional(),
  UsePreviousValue: z.boolean().default(false),
});

/** An empty list comes as empty text in the Query protocol. */
function listOf<T extends z.ZodType>(item: T) {
  return z.preprocess((given) => (given === '' ? [] : given), z.array(item));
}

const StackName = z
  .string()
  .max(128)
  .refine((name) => /^[a-zA-Z][-a-zA-Z0-9]*$/.test(name) || name.startsWith('arn:'), {
    error: ({ input }) =>
      `Value '${String(input)}' at 'stackName' failed to satisfy constraint: Member must satisfy regular expression ` +
      'pattern: [a-zA-Z][-a-zA-Z0-9]*|arn:[-a-zA-Z0-9:/._+]*',
  });

/** Members that every call that deploys has in common. Those that are not emulated are refused unless they say nothing. */
export const DeploymentInput = TemplateSource.extend({
  StackName,
  UsePreviousTemplate: z.boolean().default(false),
  Parameters: listOf(Parameter).default([]),
  Capabilities: listOf(z.string()).default([]),
  Tags: listOf(z.strictObject({ Key: z.string(), Value: z.string() })).default([]),
  NotificationARNs: listOf(z.never('is not emulated by the local stack')).optional(),
  RoleARN: z
    .string()
    .regex(/^arn:[^:]+:iam::\d{12}:role\/[!-~]+$/)
    .optional(),
  RollbackConfiguration: z.strictObject({}, 'is not emulated by the local stack').optional(),
  ClientRequestToken: z.string().optional(),
  ClientToken: z.string().optional(),
});

/**
 * A deployment as a request states it.
 *
 * @param earlier the stack being updated; the request may keep its template and values
 * @throws {AwsError} `ValidationError`
 */
export async function toDeployment(
  input: z.infer<typeof DeploymentInput>,
  earlier: StackRecord | undefined,
  { stacks, objects }: CloudFormationDeps,
): Promise<Deployment & { readonly capabilities: readonly string[] }> {
  const template = input.UsePreviousTemplate
    ? previous(earlier).template
    : await readTemplate(input, { objects, site: stacks.site });
  const parameters = Object.fromEntries(
    input.Parameters.map(({ ParameterKey, ParameterValue, UsePreviousValue }) => {
      const value = UsePreviousValue ? earlier?.parameters[ParameterKey] : ParameterValue;
      if (value !== undefined) return [ParameterKey, value];
      throw validationError(
        UsePreviousValue
          ? `Invalid input for parameter key ${ParameterKey}. Cannot specify usePreviousValue as true for a parameter ` +
              'key not in the previous template'
          : `Parameters: [${ParameterKey}] must have values`,
      );
    }),
  );
  const { StackName: stackName, Capabilities: capabilities, Tags: tags } = input;
  const serviceRole = input.RoleARN ?? earlier?.serviceRole;
  return {
    stackName: earlier?.stackName ?? stackName,
    template,
    parameters,
    capabilities,
    tags,
    ...(serviceRole !== undefined && { serviceRole }),
  };
}

function previous(earlier: StackRecord | undefined): StackRecord {
  if (earlier) return earlier;
  throw validationError('UsePreviousTemplate needs a stack that is there');
}
