import * as z from 'zod';
import { AwsError, validationError } from '../../kernel/aws-error.ts';
import type { DeploymentPlan } from '../deployment-plan.ts';
import { toReason } from '../event-log.ts';
import { resolveValue } from '../intrinsics.ts';
import type { StackRecord } from '../stack-record.ts';
import { checkProperties } from './apply-plan.ts';
import { beginOperation, type OperationDeps, type Outcome } from './operation.ts';

/** A member of `ResourcesToImport`: which of a template's resources is already there, and how it is known. */
export interface ResourceToImport {
  readonly logicalId: string;
  readonly type: string;
  readonly identifier: Readonly<Record<string, string>>;
}

const Properties = z.record(z.string(), z.unknown());

/** Takes resources that are there into a new stack as they are: none of their properties is changed. */
export async function importResources(
  plan: DeploymentPlan,
  resources: readonly ResourceToImport[],
  stated: StackRecord,
  deps: OperationDeps,
): Promise<Outcome> {
  const operation = beginOperation(deps, stated);
  const { log, status, types } = operation;
  status('IMPORT_IN_PROGRESS', 'User Initiated');
  for (const { logicalId, type, identifier } of resources) {
    const policy = plan.scope.template.Resources[logicalId]?.DeletionPolicy;
    const named = {
      logicalId,
      type,
      physicalId: '',
      status: '',
      atMs: 0,
      ...(policy && { deletionPolicy: policy }),
    };
    operation.resource(named, 'IMPORT_IN_PROGRESS', 'Resource import started.');
    try {
      const definition = plan.scope.template.Resources[logicalId];
      const properties = Properties.parse(resolveValue(definition?.Properties, plan.scope));
      checkProperties(type, logicalId, properties);
      const found = types[type]?.find?.(identifier, plan.scope.site);
      if (!found) throw missingResource(type, identifier);
      plan.made.set(logicalId, found);
      const { ref, attributes } = found;
      const resource = {
        ...named,
        physicalId: found.physicalId ?? ref,
        made: { properties, ref, attributes },
      };
      operation.resource(resource, 'IMPORT_COMPLETE', 'Resource import completed.');
    } catch (error) {
      operation.resource(named, 'IMPORT_FAILED', toReason(error));
      for (const one of operation.record().resources) operation.forget(one.logicalId);
      // AWS leaves a stack that can only be deleted.
      return { record: status('ROLLBACK_COMPLETE', toReason(error)), events: log.events, error };
    }
  }
  return { record: status('IMPORT_COMPLETE'), events: log.events };
}

/** The words for a resource to import that is not there. */
export function missingResource(type: string, identifier: Readonly<Record<string, string>>): AwsError {
  const known = Object.values(identifier).join('|');
  return validationError(`Resource of type '${type}' with identifier '${known}' was not found.`);
}
