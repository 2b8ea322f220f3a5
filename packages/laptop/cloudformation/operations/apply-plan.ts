import * as z from 'zod';
import { AwsError, validationError } from '../../kernel/aws-error.ts';
import { type DeploymentPlan, outputsOf } from '../deployment-plan.ts';
import { toReason } from '../event-log.ts';
import { resolveValue } from '../intrinsics.ts';
import { changedNames } from '../resource-changes.ts';
import type { AppliedResource } from '../resource-type.ts';
import { propertyProblems } from '../schemas/property-problems.ts';
import {
  givenIdentifier,
  replacingProperties,
  resourceSchemaOf,
  topLevelNames,
} from '../schemas/resource-schema.ts';
import type { StackRecord, StackResource } from '../stack-record.ts';
import type { Operation } from './operation.ts';

/** One resource of a plan after it has been dealt with. */
export interface Applied {
  readonly resource: StackResource;
  readonly verb: 'CREATE' | 'UPDATE';
  /** The earlier resource, if another one has replaced it. */
  readonly replaced?: StackResource;
}

/**
 * Brings up every resource of a plan, in order, and skips unchanged ones. `done` gains each one as soon as it's there, even if a
 * later one fails.
 *
 * @throws {unknown} what the first resource that cannot be made throws, after its event
 */
export async function applyPlan(
  plan: DeploymentPlan,
  before: readonly StackResource[],
  done: Applied[],
  operation: Operation,
): Promise<StackRecord['outputs']> {
  const known = new Map(before.map((one) => [one.logicalId, one]));
  for (const logicalId of plan.order) {
    const applied = await applyResource(plan, logicalId, known.get(logicalId), operation);
    if (applied) done.push(applied);
  }
  const outputs = outputsOf(plan.scope);
  refuseExported(outputs, operation);
  return outputs;
}

/** Undefined for a resource that is as it was. */
async function applyResource(
  { scope, made }: DeploymentPlan,
  logicalId: string,
  former: StackResource | undefined,
  operation: Operation,
): Promise<Applied | undefined> {
  const definition = scope.template.Resources[logicalId];
  if (!definition) throw new Error(`${logicalId} is planned and not in its template`);
  const { Type: type, DeletionPolicy } = definition;
  const named = {
    logicalId,
    type,
    physicalId: former?.physicalId ?? '',
    ...(DeletionPolicy && { deletionPolicy: DeletionPolicy }),
    status: '',
    atMs: 0,
  };
  const verb = former ? 'UPDATE' : 'CREATE';
  try {
    const properties = Properties.parse(resolveValue(definition.Properties, scope));
    const changed = former ? changedNames(properties, former) : [];
    if (former?.made && changed.length === 0 && operation.record().endpoint === scope.site.endpoint()) {
      made.set(logicalId, former.made);
      if (former.deletionPolicy === DeletionPolicy) return undefined;
      operation.resource({ ...named, made: former.made }, 'UPDATE_COMPLETE');
      return { resource: { ...former, ...named }, verb };
    }
    const isReplaced = former?.made !== undefined && replacingProperties(type, changed).length > 0;
    operation.resource(
      { ...named, ...(former?.made && { made: former.made }) },
      `${verb}_IN_PROGRESS`,
      isReplaced
        ? 'Requested update requires the creation of a new physical resource; hence creating one.'
        : undefined,
    );
    checkProperties(type, logicalId, properties);
    if (isReplaced) refuseSameName(type, properties, former);
    if (!former || isReplaced) refuseTaken(type, logicalId, properties, operation);
    const physicalId = isReplaced ? undefined : former?.physicalId;
    const result = await make(type, properties, { scope, logicalId, physicalId }, operation);
    made.set(logicalId, result);
    const { ref, attributes } = result;
    const resource = {
      ...named,
      physicalId: result.physicalId ?? ref,
      made: { properties, ref, attributes },
    };
    if (!former || isReplaced)
      operation.resource(resource, `${verb}_IN_PROGRESS`, 'Resource creation Initiated');
    operation.resource(resource, `${verb}_COMPLETE`);
    // A service that derives the name from the stack's has made it in place.
    const isAnother = isReplaced && former.physicalId !== resource.physicalId;
    return { resource, verb, ...(isAnother && { replaced: former }) };
  } catch (error) {
    operation.resource(named, `${verb}_FAILED`, toReason(error));
    throw error;
  }
}

const Properties = z.record(z.string(), z.unknown());

function make(
  type: string,
  properties: Readonly<Record<string, unknown>>,
  {
    scope,
    logicalId,
    physicalId,
  }: {
    readonly scope: DeploymentPlan['scope'];
    readonly logicalId: string;
    readonly physicalId: string | undefined;
  },
  { types, requireRights }: Operation,
): Promise<AppliedResource> {
  const resourceType = types[type];
  if (!resourceType) throw new Error(`${type} is planned and not known`);
  const { stackName, site } = scope;
  const call = physicalId === undefined ? 'create' : 'update';
  requireRights(call, { type, properties, stackName, logicalId, physicalId });
  return resourceType.apply(properties, { stackName, logicalId, physicalId, site });
}

/** @throws {AwsError} `ValidationError` with every violation of AWS's schema of the type */
export function checkProperties(
  type: string,
  logicalId: string,
  properties: Readonly<Record<string, unknown>>,
): void {
  const schema = resourceSchemaOf(type);
  if (!schema) return;
  const readOnly = topLevelNames(schema.readOnlyProperties).filter((name) => Object.hasOwn(properties, name));
  const problems = [
    ...propertyProblems(schema, properties),
    ...readOnly.map((name) => `#: extraneous key [${name}] is not permitted`),
  ];
  if (problems.length > 0)
    throw validationError(
      `Properties validation failed for resource ${logicalId} with message:\n${problems.join('\n')}`,
    );
}

function refuseSameName(
  type: string,
  properties: Readonly<Record<string, unknown>>,
  former: StackResource,
): void {
  const names = Object.values(givenIdentifier(type, properties) ?? {}).map(String);
  if (names.length === 1 && names[0] === former.physicalId)
    throw validationError(
      `CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename ${names[0]} and ` +
        'update the stack again.',
    );
}

function refuseTaken(
  type: string,
  logicalId: string,
  properties: Readonly<Record<string, unknown>>,
  { ownerOf, record }: Operation,
): void {
  const identifier = givenIdentifier(type, properties);
  if (!identifier) return;
  const owner = ownerOf(type, identifier, { stackId: record().stackId, logicalId });
  if (owner !== undefined)
    throw new AwsError(
      'AlreadyExists',
      `${Object.values(identifier).join('|')} already exists in stack ${owner}`,
    );
}

function refuseExported(outputs: StackRecord['outputs'], { exporterOf, record }: Operation): void {
  for (const { exportName } of outputs) {
    const exporter = exportName === undefined ? undefined : exporterOf(exportName, record().stackId);
    if (exporter !== undefined)
      throw validationError(`Export with name ${exportName} is already exported by stack ${exporter}`);
  }
}
