import { AwsError, validationError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  everyServiceAllowed,
  type Roles,
  type RoleSessions,
  type ServiceAccess,
} from '../kernel/permission.ts';
import type { ServiceBase, Site } from '../kernel/service.ts';
import { checkCapabilities } from './capabilities.ts';
import type { ChangeSetRecord } from './change-set-record.ts';
import { toDeploymentError } from './deployment-error.ts';
import { type DeploymentPlan, planDeployment } from './deployment-plan.ts';
import { handlerPermissions } from './handlers/handler-permissions.ts';
import { createStack, deleteStack } from './operations/create-stack.ts';
import { importResources, type ResourceToImport } from './operations/import-resources.ts';
import type { OperationDeps, Outcome } from './operations/operation.ts';
import { updateStack } from './operations/update-stack.ts';
import type { ResourceTypes } from './resource-type.ts';
import { openStackBook, type StackBook } from './stack-book.ts';
import { exporterIn, ownerIn } from './stack-owners.ts';
import { isBusy, mustBeDeleted, stackArn, type StackRecord } from './stack-record.ts';

/** Input of CreateStack or UpdateStack. */
export interface Deployment {
  readonly stackName: string;
  readonly template: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly tags?: StackRecord['tags'];
  /** Its rights count instead of the caller's. */
  readonly serviceRole?: string;
  /** Acknowledged capabilities; in process, all. */
  readonly capabilities?: readonly string[];
}

/** The stacks of the account and the operations on them, in process; CloudFormation's API is made of these. */
export interface Stacks {
  readonly book: StackBook;
  readonly site: Site;
  readonly clock: Clock;
  readonly types: ResourceTypes;
  /**
   * Plans a deployment, before anything is made.
   *
   * @throws {AwsError} what CloudFormation refuses at once: `ValidationError`, `InsufficientCapabilitiesException`
   */
  plan(deployment: Deployment, stackId: string): DeploymentPlan;
  /** Begins to do what a plan says; the stack is seen in progress when this returns. */
  begin(plan: DeploymentPlan, deployment: Deployment, begun: Begun): Promise<Outcome>;
  /** Begins to remove a stack; `caller` as in `Begun`. */
  beginDelete(record: StackRecord, caller?: string): Promise<Outcome>;
  /**
   * Brings everything in the template up, in order, and removes resources that only an earlier template had. If that fails halfway, it's
   * rolled back.
   *
   * @throws {AwsError} `ValidationError` for a template that cannot be deployed or a stack that can only be deleted; else
   *   what the resource that failed has thrown, with the stack's state
   */
  deploy(deployment: Deployment): Promise<Outcome>;
  /**
   * Removes a stack with all that its resources' policies do not retain.
   *
   * @throws {AwsError} `ValidationError` naming what cannot be deleted
   */
  delete(stackName: string): Promise<void>;
  /** Resolves when nothing is being done with any stack. */
  settled(): Promise<void>;
}

/** How an operation on a stack begins. */
interface Begun {
  readonly type: ChangeSetRecord['type'];
  /** The stack as it is; for a new one, as it was made for review. */
  readonly earlier: StackRecord;
  readonly imports?: readonly ResourceToImport[];
  /** Access key of the caller; calls within the process are not authorized. */
  readonly caller?: string;
}

interface StacksOptions extends ServiceBase {
  /** Implementations of CloudFormation's resource types. */
  readonly types: ResourceTypes;
  /** Why the role behind an access key may not do something; by default everything is allowed. */
  readonly refusalOf?: Roles['refusal'];
  /** Rights of service roles; by default they have all. */
  readonly roles?: Pick<RoleSessions, 'refusal'>;
  readonly access?: Pick<ServiceAccess, 'mayAssume'>;
}

/** Opens the stacks kept in `dir`. */
export function openStacks(options: StacksOptions): Stacks {
  const { site, clock, types, access = everyServiceAllowed } = options;
  const book = openStackBook(options);
  const running = new Set<Promise<Outcome>>();
  const depsFor = (caller: string | undefined, serviceRole: string | undefined): OperationDeps =>
    operationDeps(options, book, { caller, serviceRole });
  const track = (operation: Promise<Outcome>): Promise<Outcome> => {
    const kept = operation.then((outcome) => {
      book.keep(outcome.record);
      return outcome;
    });
    running.add(kept);
    void kept.finally(() => running.delete(kept));
    return kept;
  };

  const stacks: Stacks = {
    book,
    site,
    clock,
    types,
    plan({ stackName, template, parameters, capabilities, serviceRole }, stackId) {
      const own = { service: 'cloudformation.amazonaws.com', sourceArn: stackId };
      if (serviceRole !== undefined && !access.mayAssume(own, serviceRole))
        throw validationError(`Role ${serviceRole} is invalid or cannot be assumed`);
      const plan = planDeployment({ template, parameters }, { stackName, stackId, site }, types);
      if (capabilities) checkCapabilities(plan.scope.template, capabilities);
      return plan;
    },
    begin(plan, deployment, { type, earlier, imports = [], caller }) {
      const { serviceRole } = deployment;
      const deps = depsFor(caller, serviceRole);
      const { Description: description } = plan.scope.template;
      const { template, capabilities = [], tags = [] } = deployment;
      const stated = {
        ...(description !== undefined && { description }),
        parameters: { ...plan.parameters },
        template,
        capabilities: [...capabilities],
        tags: [...tags],
        ...(serviceRole !== undefined && { serviceRole }),
        endpoint: site.endpoint(),
      };
      if (type === 'UPDATE') return track(updateStack(plan, earlier, stated, deps));
      const { updatedAtMs: _, ...fresh } = { ...earlier, ...stated };
      return track(
        type === 'CREATE' ? createStack(plan, fresh, deps) : importResources(plan, imports, fresh, deps),
      );
    },
    beginDelete: (record, caller) => track(deleteStack(record, depsFor(caller, record.serviceRole))),
    deploy: (deployment) => deployToEnd(stacks, deployment),
    delete: (stackName) => deleteToEnd(stacks, stackName),
    async settled() {
      await Promise.allSettled(running);
    },
  };
  return stacks;
}

/** Dependencies of one operation; its resources are handled with the rights of the stack's service role, else of `caller`. */
function operationDeps(
  { site, clock, types, refusalOf = () => undefined, roles }: StacksOptions,
  book: StackBook,
  { caller, serviceRole }: { readonly caller: string | undefined; readonly serviceRole: string | undefined },
): OperationDeps {
  return {
    site,
    clock,
    types,
    show: book.show,
    ownerOf: (type, identifier, except) => ownerIn(book.all(), type, identifier, except),
    exporterOf: (exportName, except) => exporterIn(book.all(), exportName, except),
    requireRights(call, resource) {
      if (caller === undefined) return;
      const asked = handlerPermissions(call, resource, site);
      const refusal =
        serviceRole === undefined
          ? refusalOf(caller, asked)
          : roles?.refusal(serviceRole, 'AWSCloudFormation', asked);
      if (refusal)
        throw new AwsError(
          'AccessDenied',
          `Resource handler returned message: "${refusal}" (HandlerErrorCode: AccessDenied)`,
        );
    },
  };
}

async function deployToEnd(stacks: Stacks, deployment: Deployment): Promise<Outcome> {
  const earlier = stacks.book.get(deployment.stackName);
  if (earlier && (mustBeDeleted(earlier.status) || isBusy(earlier.status))) throw cannotBeUpdated(earlier);
  const isNew = earlier === undefined || earlier.status === 'REVIEW_IN_PROGRESS';
  const from = earlier ?? newStack(deployment.stackName, stacks);
  const plan = stacks.plan(deployment, from.stackId);
  const type = isNew ? 'CREATE' : 'UPDATE';
  const outcome = await stacks.begin(plan, deployment, { type, earlier: from });
  if (outcome.error !== undefined) throw toDeploymentError(outcome.error, outcome);
  return outcome;
}

async function deleteToEnd(stacks: Stacks, stackName: string): Promise<void> {
  const { record, events } = await stacks.beginDelete(stacks.book.find(stackName));
  if (record.status === 'DELETE_COMPLETE') return;
  const reasons = events.flatMap(({ logicalId, status, reason }) =>
    status === 'DELETE_FAILED' && logicalId !== stackName ? [`${logicalId}: ${reason}`] : [],
  );
  throw validationError(`Stack ${stackName} was not deleted: ${reasons.join('; ')}`);
}

/** A stack that has been named and not yet made. */
export function newStack(stackName: string, { site, clock }: Pick<Stacks, 'site' | 'clock'>): StackRecord {
  return {
    stackName,
    stackId: stackArn(site, stackName),
    status: 'REVIEW_IN_PROGRESS',
    createdAtMs: clock.now(),
    parameters: {},
    capabilities: [],
    tags: [],
    outputs: [],
    resources: [],
    template: '',
    events: [],
  };
}

/** The error for a stack that can't be updated in its current state. */
export function cannotBeUpdated({ stackId, status }: StackRecord): AwsError {
  return validationError(`Stack:${stackId} is in ${status} state and can not be updated.`);
}
