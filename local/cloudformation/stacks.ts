import path from 'node:path';
import * as z from 'zod';
import { AwsError } from '../gateway/aws-error.ts';
import type { Clock } from '../gateway/clock.ts';
import type { Site } from '../gateway/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { deploymentOrder } from './deployment-order.ts';
import type { Scope } from './intrinsics.ts';
import { holds, resolveValue } from './intrinsics.ts';
import { resolveParameters } from './parameters.ts';
import type { AppliedResource, ResourceTypes } from './resource-type.ts';
import type { Template } from './template.ts';
import { parseTemplate } from './template.ts';

const StackRecord = z.object({
  stackName: z.string(),
  stackId: z.string(),
  description: z.string().optional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  parameters: z.record(z.string(), z.string()),
  outputs: z.array(z.object({ key: z.string(), value: z.string(), description: z.string().optional() })),
  resources: z.array(z.object({ logicalId: z.string(), type: z.string(), physicalId: z.string() })),
  template: z.string(),
});
export type StackRecord = z.infer<typeof StackRecord>;

export interface Deployment {
  readonly stackName: string;
  readonly template: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Stacks {
  /** Brings everything in the template up, in order; what an earlier template had and this one lacks is removed. */
  deploy(deployment: Deployment): Promise<StackRecord>;
  /** @throws {AwsError} `ValidationError` for a stack that does not exist */
  find(stackName: string): StackRecord;
  all(): readonly StackRecord[];
}

/** Opens the stacks kept in `dir`; `types` says what each CloudFormation type becomes here. */
export function openStacks(options: {
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
  readonly types: ResourceTypes;
}): Stacks {
  const records = openDocuments(path.join(options.dir, 'stacks.json'), StackRecord);
  return {
    all: () => [...records.values()],
    find(stackName) {
      const byName = [...records.values()].find(
        (one) => one.stackName === stackName || one.stackId === stackName,
      );
      if (byName) return byName;
      throw new AwsError('ValidationError', `Stack with id ${stackName} does not exist`);
    },
    async deploy(deployment) {
      const earlier = records.get(deployment.stackName);
      const record = await deployTemplate(deployment, earlier, options);
      records.set(deployment.stackName, record);
      return record;
    },
  };
}

async function deployTemplate(
  { stackName, template: text, parameters }: Deployment,
  earlier: StackRecord | undefined,
  { site, clock, types }: { readonly site: Site; readonly clock: Clock; readonly types: ResourceTypes },
): Promise<StackRecord> {
  const template = parseTemplate(text);
  const stackId =
    earlier?.stackId ??
    `arn:${site.partition}:cloudformation:${site.region}:${site.account}:stack/${stackName}/${crypto.randomUUID()}`;
  const made = new Map<string, AppliedResource>();
  const scope: Scope = {
    template,
    parameters: resolveParameters(template.Parameters, parameters),
    resources: made,
    stackName,
    stackId,
    site,
  };
  const wanted = template.Resources;
  refuseUnknownTypes(template, types, scope);

  const physicalIds = new Map(earlier?.resources.map((one) => [one.logicalId, one]));
  const resources: StackRecord['resources'] = [];
  for (const logicalId of deploymentOrder(wanted)) {
    const resource = wanted[logicalId];
    const type = resource && types[resource.Type];
    if (!resource || !type || !isWanted(resource.Condition, scope)) continue;
    const properties = resolveValue(resource.Properties, scope);
    const before = physicalIds.get(logicalId);
    const applied = await type.apply(z.record(z.string(), z.unknown()).parse(properties), {
      stackName,
      logicalId,
      physicalId: before?.type === resource.Type ? before.physicalId : undefined,
      site,
    });
    made.set(logicalId, applied);
    resources.push({ logicalId, type: resource.Type, physicalId: applied.physicalId ?? applied.ref });
  }
  for (const gone of earlier?.resources ?? []) {
    // Under another logical id it is still the same thing.
    const isKept = resources.some(
      ({ type, physicalId }) => type === gone.type && physicalId === gone.physicalId,
    );
    if (!made.has(gone.logicalId) && !isKept) await types[gone.type]?.remove(gone.physicalId);
  }
  const now = clock.now();
  return {
    stackName,
    stackId,
    ...(template.Description === undefined ? {} : { description: template.Description }),
    createdAtMs: earlier?.createdAtMs ?? now,
    updatedAtMs: now,
    parameters: { ...parameters },
    outputs: outputsOf(template, scope),
    resources,
    template: text,
  };
}

function refuseUnknownTypes(template: Template, types: ResourceTypes, scope: Scope): void {
  const unknown = Object.entries(template.Resources)
    .filter(([, { Type, Condition }]) => !Object.hasOwn(types, Type) && isWanted(Condition, scope))
    .map(([id, { Type }]) => `${id} (${Type})`);
  if (unknown.length === 0) return;
  const known = Object.keys(types).sort().join(', ');
  throw new AwsError(
    'ValidationError',
    `The local stack cannot make ${unknown.join(', ')}. It makes: ${known}`,
  );
}

function isWanted(condition: string | undefined, scope: Scope): boolean {
  return condition === undefined || holds(condition, scope);
}

function outputsOf(template: Template, scope: Scope): StackRecord['outputs'] {
  return Object.entries(template.Outputs)
    .filter(([, output]) => isWanted(output.Condition, scope))
    .map(([key, { Value, Description }]) => ({
      key,
      value: String(resolveValue(Value, scope)),
      ...(Description === undefined ? {} : { description: Description }),
    }));
}
