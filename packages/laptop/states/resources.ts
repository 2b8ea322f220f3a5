import { createHash } from 'node:crypto';
import * as z from 'zod';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { type Action, parseStrictly } from '../kernel/action.ts';
import { validationError } from '../kernel/aws-error.ts';
import type { StatesDeps } from './actions/deps.ts';
import { createStateMachine, updateStateMachine } from './actions/machines.ts';
import { stateMachineArn } from './arn.ts';

const Substitutions = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const Properties = z.strictObject({
  StateMachineName: z.string().optional(),
  StateMachineType: z.literal('STANDARD', 'the local stack runs STANDARD machines only').optional(),
  RoleArn: z.string(),
  Definition: z.record(z.string(), z.unknown()).optional(),
  DefinitionString: z.string().optional(),
  DefinitionSubstitutions: Substitutions.default({}),
  LoggingConfiguration: z
    .strictObject({
      Level: z.enum(['ALL', 'ERROR', 'FATAL', 'OFF']).default('OFF'),
      IncludeExecutionData: z.boolean().default(false),
      Destinations: z
        .array(z.strictObject({ CloudWatchLogsLogGroup: z.strictObject({ LogGroupArn: z.string() }) }))
        .default([]),
    })
    .optional(),
  TracingConfiguration: z.strictObject({ Enabled: z.boolean().default(false) }).optional(),
  Tags: z.array(z.strictObject({ Key: z.string(), Value: z.string() })).default([]),
});
type Properties = z.infer<typeof Properties>;

const call = (action: Action, input: unknown) =>
  action.run(input, { requestId: 'deployment', accessKeyId: 'deployment' }, parseStrictly);

/** `AWS::StepFunctions::StateMachine`. */
export function statesResources(deps: StatesDeps): ResourceTypes {
  return resource('AWS::StepFunctions::StateMachine', {
    properties: Properties,
    async apply(properties, { physicalId, stackName, logicalId }) {
      const name = properties.StateMachineName ?? nameOf(stackName, logicalId);
      const arn = stateMachineArn(deps.site, name);
      const settings = settingsOf(properties, logicalId);
      if (deps.machines.get(arn)) {
        await call(updateStateMachine(deps), { stateMachineArn: arn, ...settings });
      } else {
        await call(createStateMachine(deps), { name, ...settings });
      }
      const stored = deps.machines.get(arn);
      if (!stored) throw new Error(`${arn} vanished while it was deployed`);
      deps.machines.save({
        ...stored,
        tags: Object.fromEntries(properties.Tags.map(({ Key, Value }) => [Key, Value])),
      });
      // A new name is a new machine: the old one goes, as in AWS's replacement.
      if (physicalId !== undefined && physicalId !== arn) deps.machines.delete(physicalId);
      return {
        ref: arn,
        physicalId: arn,
        attributes: { Arn: arn, Name: name, StateMachineRevisionId: stored.revisionId },
      };
    },
    async remove(physicalId) {
      deps.machines.delete(physicalId);
    },
  });
}

function settingsOf(properties: Properties, logicalId: string): Readonly<Record<string, unknown>> {
  const { LoggingConfiguration: logging, TracingConfiguration: tracing } = properties;
  return {
    definition: definitionOf(properties, logicalId),
    roleArn: properties.RoleArn,
    loggingConfiguration: {
      level: logging?.Level ?? 'OFF',
      includeExecutionData: logging?.IncludeExecutionData ?? false,
      destinations: (logging?.Destinations ?? []).map(({ CloudWatchLogsLogGroup }) => ({
        cloudWatchLogsLogGroup: { logGroupArn: CloudWatchLogsLogGroup.LogGroupArn },
      })),
    },
    tracingConfiguration: { enabled: tracing?.Enabled ?? false },
  };
}

/** The definition with every `${Name}` replaced; one that has no substitution is refused rather than left to fail later. */
function definitionOf(properties: Properties, logicalId: string): string {
  const { Definition, DefinitionString, DefinitionSubstitutions } = properties;
  if ((Definition === undefined) === (DefinitionString === undefined))
    throw validationError(`${logicalId}: give one of Definition and DefinitionString`);
  const isObject = Definition !== undefined;
  const text = isObject ? JSON.stringify(Definition) : (DefinitionString ?? '');
  return text.replace(/\$\{([\w.:-]+)\}/g, (_, name: string) => {
    const value = DefinitionSubstitutions[name];
    if (value === undefined)
      throw validationError(
        `${logicalId}: the definition uses \${${name}}, DefinitionSubstitutions has no ${name}`,
      );
    // In an object's JSON text the value stands inside a string.
    return isObject ? JSON.stringify(String(value)).slice(1, -1) : String(value);
  });
}

function nameOf(stackName: string, logicalId: string): string {
  const digest = createHash('sha256').update(`${stackName}/${logicalId}`).digest('hex').slice(0, 12);
  return `${logicalId.slice(0, 60)}-${digest}`;
}
