import path from 'node:path';
import { AwsError } from '../gateway/aws-error.ts';
import type { Clock } from '../gateway/clock.ts';
import type { Site } from '../gateway/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { applyPlan } from './apply-plan.ts';
import type { DeploymentPlan } from './deployment-plan.ts';
import { planDeployment } from './deployment-plan.ts';
import type { EventLog } from './event-log.ts';
import { openEventLog } from './event-log.ts';
import { removeResources } from './remove-resources.ts';
import type { ResourceTypes } from './resource-type.ts';
import { rollBackUpdate } from './roll-back-update.ts';
import type { StackResource } from './stack-record.ts';
import { mustBeDeleted, StackRecord } from './stack-record.ts';
import { toDeploymentError } from './deployment-error.ts';

export interface Deployment {
  readonly stackName: string;
  readonly template: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Stacks {
  /**
   * Brings everything in the template up, in order; what an earlier template had and this one lacks is removed. Where that
   * fails half-way, what it has done is undone.
   *
   * @throws {AwsError} `ValidationError` for a template that cannot be deployed or a stack that can only be deleted; else
   *   what the resource that failed has thrown, with the stack's state
   */
  deploy(deployment: Deployment): Promise<StackRecord>;
  /**
   * Removes a stack with all that its resources' policies do not retain.
   *
   * @throws {AwsError} `ValidationError` naming what cannot be deleted
   */
  delete(stackName: string): Promise<void>;
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
  const { site, clock, types } = options;
  const records = openDocuments(path.join(options.dir, 'stacks.json'), StackRecord);
  const keep = (record: StackRecord): StackRecord => {
    records.set(record.stackName, record);
    return record;
  };

  async function create(deployment: Deployment): Promise<StackRecord> {
    const { stackName } = deployment;
    const stackId = `arn:${site.partition}:cloudformation:${site.region}:${site.account}:stack/${stackName}/${crypto.randomUUID()}`;
    const plan = planDeployment(deployment, { stackName, stackId, site }, types);
    const log = openEventLog({ stackName, stackId }, clock);
    const startedMs = clock.now();
    const record = (rest: Pick<StackRecord, 'status' | 'outputs' | 'resources'>): StackRecord => ({
      stackName,
      stackId,
      ...statedBy(deployment, plan),
      createdAtMs: startedMs,
      updatedAtMs: startedMs,
      events: log.events,
      ...rest,
    });
    log.stack('CREATE_IN_PROGRESS');
    const made: StackResource[] = [];
    try {
      const outputs = await applyPlan(plan, [], made, { types, log });
      log.stack('CREATE_COMPLETE');
      return keep(record({ status: 'CREATE_COMPLETE', outputs, resources: made }));
    } catch (error) {
      log.stack('ROLLBACK_IN_PROGRESS', toFailedReason(log, 'create'));
      const resources = [...(await removeResources(made, { types, log, madeNow: true }))];
      const status = resources.length === 0 ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED';
      log.stack(status);
      throw toDeploymentError(error, keep(record({ status, outputs: [], resources })));
    }
  }

  async function update(deployment: Deployment, earlier: StackRecord): Promise<StackRecord> {
    const { stackName, stackId } = earlier;
    const plan = planDeployment(deployment, { stackName, stackId, site }, types);
    const log = openEventLog(earlier, clock);
    log.stack('UPDATE_IN_PROGRESS');
    const made: StackResource[] = [];
    let outputs: StackRecord['outputs'];
    try {
      outputs = await applyPlan(plan, earlier.resources, made, { types, log });
    } catch (error) {
      log.stack('UPDATE_ROLLBACK_IN_PROGRESS', toFailedReason(log, 'update'));
      const { status, resources } = await rollBackUpdate(earlier, made, { site, types, log });
      log.stack(status);
      throw toDeploymentError(
        error,
        keep({ ...earlier, status, resources, updatedAtMs: clock.now(), events: log.events }),
      );
    }
    // Under another logical id it is still the same thing.
    const gone = earlier.resources.filter(
      (one) =>
        !made.some(
          ({ logicalId, type, physicalId }) =>
            logicalId === one.logicalId || (type === one.type && physicalId === one.physicalId),
        ),
    );
    await removeResources(gone, { types, log, madeNow: false });
    log.stack('UPDATE_COMPLETE');
    return keep({
      stackName,
      stackId,
      ...statedBy(deployment, plan),
      status: 'UPDATE_COMPLETE',
      createdAtMs: earlier.createdAtMs,
      updatedAtMs: clock.now(),
      outputs,
      resources: made,
      events: log.events,
    });
  }

  const stacks: Stacks = {
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
      if (!earlier) return create(deployment);
      if (!mustBeDeleted(earlier.status)) return update(deployment, earlier);
      throw new AwsError(
        'ValidationError',
        `Stack:${earlier.stackId} is in ${earlier.status} state and can not be updated: delete it first`,
      );
    },
    async delete(stackName) {
      const record = stacks.find(stackName);
      const log = openEventLog(record, clock);
      log.stack('DELETE_IN_PROGRESS');
      const resources = [...(await removeResources(record.resources, { types, log, madeNow: false }))];
      if (resources.length === 0) return void records.delete(record.stackName);
      log.stack('DELETE_FAILED');
      keep({ ...record, status: 'DELETE_FAILED', resources, updatedAtMs: clock.now(), events: log.events });
      const reasons = log.events.flatMap(({ logicalId, reason }) =>
        reason ? [`${logicalId}: ${reason}`] : [],
      );
      throw new AwsError('ValidationError', `Stack ${stackName} was not deleted: ${reasons.join('; ')}`);
    },
  };
  return stacks;
}

function statedBy(
  { parameters, template }: Deployment,
  { scope }: DeploymentPlan,
): Pick<StackRecord, 'description' | 'parameters' | 'template'> {
  const { Description: description } = scope.template;
  return { ...(description !== undefined && { description }), parameters: { ...parameters }, template };
}

/** In AWS's words, with the resource that failed, where it was one. */
function toFailedReason({ events }: EventLog, verb: 'create' | 'update'): string | undefined {
  const failed = events.find(({ status }) => status.endsWith('_FAILED'));
  return failed && `The following resource(s) failed to ${verb}: [${failed.logicalId}].`;
}
