import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { AwsError, validationError } from '../kernel/aws-error.ts';
import type { ChangeSetRecord } from './change-set-record.ts';
import { type CloudFormationDeps, type DeploymentInput, toDeployment } from './deployment-input.ts';
import type { DeploymentPlan } from './deployment-plan.ts';
import { missingResource, type ResourceToImport } from './operations/import-resources.ts';
import { changesOutputs, resourceChanges } from './resource-changes.ts';
import type { StackBook } from './stack-book.ts';
import { changeSetArn, isBusy, mustBeDeleted, type StackRecord } from './stack-record.ts';
import { cannotBeUpdated, newStack } from './stacks.ts';

const NO_CHANGES =
  "The submitted information didn't contain changes. Submit different information to create a change set.";

/** Members of a request for a change set next to its deployment. */
export interface ChangeSetRequest {
  readonly changeSetName: string;
  readonly type: ChangeSetRecord['type'];
  readonly description?: string;
  readonly imports: readonly ResourceToImport[];
}

/**
 * Works out what a deployment would change, and keeps it under its name. A stack that is not there yet is made for review.
 *
 * @throws {AwsError} `ValidationError`, `AlreadyExistsException`, `InsufficientCapabilitiesException`
 */
export async function createChangeSet(
  { changeSetName, type, description, imports }: ChangeSetRequest,
  input: z.infer<typeof DeploymentInput>,
  deps: CloudFormationDeps,
): Promise<ChangeSetRecord> {
  const { stacks } = deps;
  const { book, clock, site } = stacks;
  const existing = book.get(input.StackName);
  refuseState(existing, input.StackName, changeSetName, type);
  const stack = existing ?? newStack(input.StackName, stacks);
  const { stackName, stackId } = stack;
  if (book.changeSets.of(stackId).some((one) => one.changeSetName === changeSetName))
    throw new AwsError('AlreadyExistsException', `ChangeSet [${changeSetName}] already exists`);
  const isUpdate = type === 'UPDATE';
  const deployment = await toDeployment(input, isUpdate ? stack : undefined, deps);
  const plan = stacks.plan(deployment, stackId);
  if (type === 'IMPORT') checkImports(plan, imports);
  const changes = toChanges(plan, isUpdate ? stack : undefined, imports);
  const isEmpty = isUpdate && changes.length === 0 && isSameElsewhere(plan, deployment.tags, stack);
  const reason = importProblem(imports, stacks) ?? (isEmpty ? NO_CHANGES : undefined);
  const record: ChangeSetRecord = {
    changeSetId: changeSetArn(site, changeSetName),
    changeSetName,
    stackId,
    stackName,
    ...(description !== undefined && { description }),
    type,
    createdAtMs: clock.now(),
    status: reason === undefined ? 'CREATE_COMPLETE' : 'FAILED',
    ...(reason !== undefined && { reason }),
    executionStatus: reason === undefined ? 'AVAILABLE' : 'UNAVAILABLE',
    template: deployment.template,
    parameters: { ...plan.parameters },
    capabilities: [...deployment.capabilities],
    tags: [...(deployment.tags ?? [])],
    ...(deployment.serviceRole !== undefined && { serviceRole: deployment.serviceRole }),
    imports: [...imports],
    changes,
  };
  if (!existing) book.keep(stack);
  book.changeSets.keep(record);
  return record;
}

/**
 * Starts the changes of a change set; the stack's other change sets become invalid and are removed.
 *
 * @throws {AwsError} `InvalidChangeSetStatus`, or `ValidationError` while another operation changes the stack
 */
export function executeChangeSet(
  record: ChangeSetRecord,
  { stacks }: CloudFormationDeps,
  caller?: string,
): void {
  const { book } = stacks;
  const { changeSetId, stackId, stackName, template, parameters, capabilities, tags, imports, type } = record;
  const { serviceRole } = record;
  if (record.executionStatus !== 'AVAILABLE')
    throw new AwsError(
      'InvalidChangeSetStatus',
      `ChangeSet [${changeSetId}] cannot be executed in its current status of ` +
        `[${record.status === 'FAILED' ? 'FAILED' : record.executionStatus}]`,
    );
  const earlier = book.find(stackId);
  if (isBusy(earlier.status)) throw cannotBeUpdated(earlier);
  const deployment = {
    stackName,
    template,
    parameters,
    capabilities,
    tags,
    ...(serviceRole !== undefined && { serviceRole }),
  };
  const plan = stacks.plan(deployment, stackId);
  for (const other of book.changeSets.of(stackId))
    if (other.changeSetId !== changeSetId) book.changeSets.delete(other.changeSetId);
  const keep = (executionStatus: ChangeSetRecord['executionStatus']): void =>
    book.changeSets.keep({ ...record, executionStatus });
  keep('EXECUTE_IN_PROGRESS');
  void stacks
    .begin(plan, deployment, {
      type,
      earlier: { ...earlier, changeSetId },
      imports,
      ...(caller !== undefined && { caller }),
    })
    .then(({ error }) => keep(error === undefined ? 'EXECUTE_COMPLETE' : 'EXECUTE_FAILED'));
}

/**
 * A change set by its id, or by its name and its stack.
 *
 * @throws {AwsError} `ChangeSetNotFound`, or `ValidationError` for a stack that does not exist
 */
export function findChangeSet(
  book: StackBook,
  { ChangeSetName, StackName }: { readonly ChangeSetName: string; readonly StackName?: string | undefined },
): ChangeSetRecord {
  const byId = book.changeSets.get(ChangeSetName);
  const found =
    byId ?? changeSetsOf(book, ChangeSetName, StackName).find((one) => one.changeSetName === ChangeSetName);
  if (found) return found;
  throw new AwsError('ChangeSetNotFound', `ChangeSet [${ChangeSetName}] does not exist`, { statusCode: 404 });
}

function changeSetsOf(
  book: StackBook,
  changeSetName: string,
  stackName: string | undefined,
): readonly ChangeSetRecord[] {
  if (changeSetName.startsWith('arn:')) return [];
  if (stackName === undefined)
    throw validationError('StackName must be specified if ChangeSetName is not specified as an ARN.');
  const stack = book.get(stackName);
  if (!stack) throw validationError(`Stack [${stackName}] does not exist`);
  return book.changeSets.of(stack.stackId);
}

function refuseState(
  existing: StackRecord | undefined,
  stackName: string,
  changeSetName: string,
  type: ChangeSetRecord['type'],
): void {
  if (type === 'UPDATE') {
    if (!existing) throw validationError(`Stack [${stackName}] does not exist`);
    const { status } = existing;
    if (status.endsWith('_IN_PROGRESS') || mustBeDeleted(status) || status === 'UPDATE_ROLLBACK_FAILED')
      throw cannotBeUpdated(existing);
  } else if (existing && existing.status !== 'REVIEW_IN_PROGRESS') {
    if (type === 'IMPORT')
      throw validationError(
        'The local stack imports resources into new stacks only: delete the stack first, or import in AWS',
      );
    throw validationError(
      `Stack [${stackName}] already exists and cannot be created again with the changeSet [${changeSetName}].`,
    );
  }
}

function checkImports({ scope, order }: DeploymentPlan, imports: readonly ResourceToImport[]): void {
  const { Resources, Outputs } = scope.template;
  const named = new Set(imports.map(({ logicalId }) => logicalId));
  const missing = order.filter((id) => !named.has(id));
  const unknown = imports.filter(({ logicalId, type }) => Resources[logicalId]?.Type !== type);
  const unprotected = imports.filter(({ logicalId }) => Resources[logicalId]?.DeletionPolicy === undefined);
  const ids = (found: readonly ResourceToImport[]): string =>
    found.map(({ logicalId }) => logicalId).join(', ');
  const problem =
    missing.length > 0
      ? `Resources [${missing.join(', ')}] is missing from ResourceToImport list`
      : unknown.length > 0
        ? `Resources [${ids(unknown)}] in ResourceToImport list are not in the template with that type`
        : unprotected.length > 0
          ? `Following resources to import [${ids(unprotected)}] must have DeletionPolicy attribute specified in the template.`
          : Object.keys(Outputs).length > 0
            ? 'As part of the import operation, you cannot modify or add [Outputs]'
            : undefined;
  if (problem !== undefined) throw validationError(problem);
}

/** Why a resource cannot be imported: it is not there, or a stack has it. */
function importProblem(
  imports: readonly ResourceToImport[],
  { book, types, site }: CloudFormationDeps['stacks'],
): string | undefined {
  for (const { type, identifier } of imports) {
    const found = types[type]?.find?.(identifier, site);
    if (!found) return missingResource(type, identifier).message;
    const owner = book
      .all()
      .find(({ resources }) => resources.some((one) => one.type === type && one.made?.ref === found.ref));
    if (owner) return `Resource ${found.ref} already exists in stack [${owner.stackId}]`;
  }
  return undefined;
}

function toChanges(
  plan: DeploymentPlan,
  earlier: StackRecord | undefined,
  imports: readonly ResourceToImport[],
): ChangeSetRecord['changes'] {
  const imported = new Map(imports.map((one) => [one.logicalId, Object.values(one.identifier).join('|')]));
  return resourceChanges(plan, earlier).map((change) => {
    const physicalId = imported.get(change.logicalId);
    return physicalId === undefined ? change : { ...change, parts: [], action: 'Import', physicalId };
  });
}

function isSameElsewhere(
  plan: DeploymentPlan,
  tags: StackRecord['tags'] | undefined,
  stack: StackRecord,
): boolean {
  return !changesOutputs(plan, stack) && isDeepStrictEqual(tags ?? [], stack.tags);
}
