import type { Clock } from '../gateway/clock.ts';
import { queryService } from '../gateway/query-service.ts';
import type { Service, Site } from '../gateway/service.ts';
import { describeStackEvents } from './actions/describe-stack-events.ts';
import { describeStacks } from './actions/describe-stacks.ts';
import { getTemplate } from './actions/get-template.ts';
import { listStackResources } from './actions/list-stack-resources.ts';
import type { ResourceTypes } from './resource-type.ts';
import type { Stacks } from './stacks.ts';
import { openStacks } from './stacks.ts';

/** CloudFormation: deploys in process, and answers what clients ask of a stack. */
export function createCloudFormation(options: {
  readonly dir: string;
  readonly site: Site;
  readonly clock: Clock;
  readonly types: ResourceTypes;
}): { readonly service: Service; readonly stacks: Stacks } {
  const stacks = openStacks(options);
  const service = queryService({
    name: 'cloudformation',
    apiVersion: '2010-05-15',
    xmlns: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
    actions: {
      DescribeStackEvents: describeStackEvents(stacks),
      DescribeStacks: describeStacks(stacks),
      GetTemplate: getTemplate(stacks),
      ListStackResources: listStackResources(stacks),
    },
  });
  return { service, stacks };
}
