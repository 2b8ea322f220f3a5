import * as z from 'zod';
import type { Permission } from '../kernel/permission.ts';
import type { ActionPermissions } from '../kernel/service.ts';
import type { Stacks } from './stacks.ts';
import { toObject } from './template-source.ts';

const Asked = z.looseObject({
  StackName: z.string().catch(''),
  ChangeSetName: z.string().catch(''),
  TemplateURL: z.string().optional().catch(undefined),
  Tags: z.array(z.unknown()).catch([]),
});
type Asked = z.infer<typeof Asked>;

/** What calls ask of a role beside what handlers of resources do in its name, as the Service Authorization Reference lists it. */
export function cloudFormationPermissions({ book, site }: Stacks): ActionPermissions {
  const { partition, region, account } = site;
  const stackOf = ({ StackName, ChangeSetName }: Asked): string => {
    const stackId = book.changeSets.get(ChangeSetName)?.stackId ?? book.get(StackName)?.stackId;
    const isArn = StackName.startsWith('arn:');
    return (
      stackId ??
      (isArn ? StackName : `arn:${partition}:cloudformation:${region}:${account}:stack/${StackName}/*`)
    );
  };
  // A template in S3 is read with the caller's rights.
  const reading = ({ TemplateURL }: Asked): Permission[] => {
    const place = TemplateURL === undefined ? undefined : toObject(TemplateURL, site);
    return place
      ? [{ action: 's3:GetObject', resource: `arn:${partition}:s3:::${place.bucket}/${place.key}` }]
      : [];
  };
  const on = (action: string) => (input: unknown) => {
    const asked = Asked.parse(input);
    const resource = stackOf(asked);
    const tagging = asked.Tags.length > 0 ? [{ action: 'cloudformation:TagResource', resource }] : [];
    return [{ action: `cloudformation:${action}`, resource }, ...tagging, ...reading(asked)];
  };
  const names = [
    ...['CreateChangeSet', 'CreateStack', 'DeleteChangeSet', 'DeleteStack', 'DescribeChangeSet'],
    ...['DescribeStackEvents', 'DescribeStackResource', 'DescribeStackResources', 'DescribeStacks'],
    ...['ExecuteChangeSet', 'GetTemplate', 'ListChangeSets', 'ListStackResources', 'UpdateStack'],
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, on(name)])),
    // For a template that does not belong to a stack, the call has no resource.
    GetTemplateSummary: (input) => {
      const asked = Asked.parse(input);
      const resource = asked.StackName === '' ? '*' : stackOf(asked);
      return [{ action: 'cloudformation:GetTemplateSummary', resource }, ...reading(asked)];
    },
    ListExports: () => [{ action: 'cloudformation:ListExports', resource: '*' }],
    ListStacks: () => [{ action: 'cloudformation:ListStacks', resource: '*' }],
    ValidateTemplate: (input) => [
      { action: 'cloudformation:ValidateTemplate', resource: '*' },
      ...reading(Asked.parse(input)),
    ],
  };
}
