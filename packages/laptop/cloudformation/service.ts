import type { Roles, RoleSessions, ServiceAccess } from '../kernel/permission.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import { queryService } from '../kernel/query-service.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { createChangeSetAction } from './actions/create-change-set.ts';
import { createStackAction } from './actions/create-stack.ts';
import { deleteChangeSet } from './actions/delete-change-set.ts';
import { deleteStackAction } from './actions/delete-stack.ts';
import { describeChangeSet } from './actions/describe-change-set.ts';
import { describeStackEvents } from './actions/describe-stack-events.ts';
import { describeStackResource } from './actions/describe-stack-resource.ts';
import { describeStackResources } from './actions/describe-stack-resources.ts';
import { describeStacks } from './actions/describe-stacks.ts';
import { executeChangeSetAction } from './actions/execute-change-set.ts';
import { getTemplate } from './actions/get-template.ts';
import { getTemplateSummary } from './actions/get-template-summary.ts';
import { listChangeSets } from './actions/list-change-sets.ts';
import { listExports } from './actions/list-exports.ts';
import { listStackResources } from './actions/list-stack-resources.ts';
import { listStacks } from './actions/list-stacks.ts';
import { updateStackAction } from './actions/update-stack.ts';
import { validateTemplate } from './actions/validate-template.ts';
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
      createChangeSetAction(deps),
      createStackAction(deps),
      deleteChangeSet(stacks),
      deleteStackAction(stacks),
      describeChangeSet(stacks),
      describeStackEvents(stacks),
      describeStackResource(stacks),
      describeStackResources(stacks),
      describeStacks(stacks),
      executeChangeSetAction(deps),
      getTemplate(stacks),
      getTemplateSummary(deps),
      listChangeSets(stacks),
      listExports(stacks),
      listStackResources(stacks),
      listStacks(stacks),
      updateStackAction(deps),
      validateTemplate(deps),
    ],
    // Running deployments finish before the services they use close.
    close: () => stacks.settled(),
  });
  return { service, stacks };
}
