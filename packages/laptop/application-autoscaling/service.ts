import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { jsonService } from '../kernel/json-service.ts';
import type { AlarmActions, CopyCounts } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { policyActions } from './actions/policies.ts';
import { targetActions } from './actions/targets.ts';
import { type AutoscalingState, LinkedRole } from './autoscaling-state.ts';
import { ComponentScaling } from './component-scaling.ts';
import { ScalableTarget, ScalingPolicy } from './scalable-target.ts';

/** Application Auto Scaling for inference components. Targets and policies of endpoint variants are only recorded and shown. */
export function createAutoscaling({
  dir,
  site,
  clock,
  copies,
  alarms,
  newId = randomUUID,
}: ServiceBase & {
  readonly copies: CopyCounts;
  readonly alarms: AlarmActions;
  readonly newId?: () => string;
}): { readonly service: Service } {
  const targets = openDocuments(join(dir, 'scalable-targets.json'), ScalableTarget);
  const policies = openDocuments(join(dir, 'scaling-policies.json'), ScalingPolicy);
  const scaling = new ComponentScaling({ targets, policies, copies, alarms, clock });
  scaling.watch();
  const state: AutoscalingState = {
    site,
    clock,
    newId,
    copies,
    scaling,
    targets,
    policies,
    linkedRoles: openDocuments(join(dir, 'service-linked-roles.json'), LinkedRole),
  };
  return {
    service: jsonService({
      name: 'application-autoscaling',
      target: 'AnyScaleFrontendService',
      version: '1.1',
      actions: [...targetActions(state), ...policyActions(state)],
      close: () => scaling.close(),
    }),
  };
}
