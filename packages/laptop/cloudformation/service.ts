import type { Roles, RoleSessions, ServiceAccess } from '../kernel/permission.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import { queryService } from '../kernel/query-service.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { changeSetActions } from './actions/change-sets.ts';
import { stackResourceActions } from './actions/stack-resources.ts';
import { stackActions } from './actions/stacks.ts';
import { templateActions } from './actions/templates.ts';
import type { ResourceTypes } from './resource-type.ts';
import { openStacks, type Stacks } from './stacks.ts';

/** CloudFormation: deploys in process, and for clients, who see the progress. */
export function createCloudFormation(
  options: ServiceBase & {
    readonly types: ResourceTypes;
    readonly objects: ObjectAccess;
    /** Why the role behind an access key may not do something; by default everything is allowed. */
    readonly refusalOf?: Roles['refusal'];
    readonly roles?: Pick<RoleSessions, 'refusal'>;
    readonly access?: Pick<ServiceAccess, 'mayAssume'>;
  },
): { readonly service: Service; readonly stacks: Stacks } {
  const stacks = openStacks(options);
  const deps = { stacks, objects: options.objects };
  const service = queryService({
    name: 'cloudformation',
    apiVersion: '2010-05-15',
    xmlns: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
    actions: [
      ...changeSetActions(deps),
      ...stackActions(deps),
      ...stackResourceActions(stacks),
      ...templateActions(deps),
    ],
    // Running deployments finish before the services they use close.
    close: () => stacks.settled(),
  });
  return { service, stacks };
}
