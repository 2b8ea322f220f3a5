import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import type { Permission } from '../kernel/permission.ts';
import type { Stacks } from './stacks.ts';
import { toObject } from './template-source.ts';

const Asked = z.looseObject({
  StackName: z.string().catch(''),
  ChangeSetName: z.string().catch(''),
  TemplateURL: z.string().optional().catch(undefined),
  Tags: z.array(z.unknown()).catch([]),
  RoleARN: z.string().optional().catch(undefined),
});
type Asked = z.infer<typeof Asked>;

/**
 * Permissions of calls about a stack, as the Service Authorization Reference lists them; handlers of resources ask for more
 * in its name.
 */
export const onStack =
  (stacks: Stacks): AskedOfRole =>
  (input, action) => {
    const asked = Asked.parse(input);
    const resource = stackOf(stacks, asked);
    const tagging = asked.Tags.length > 0 ? [{ action: 'cloudformation:TagResource', resource }] : [];
    return [
      { action: `cloudformation:${action}`, resource },
      ...tagging,
      ...passing(asked),
      ...reading(stacks, asked),
    ];
  };

/** Permissions of calls about a stack, or about a template that does not belong to one: then they have no resource. */
export const onTemplate =
  (stacks: Stacks): AskedOfRole =>
  (input, action) => {
    const asked = Asked.parse(input);
    const resource = asked.StackName === '' ? '*' : stackOf(stacks, asked);
    return [{ action: `cloudformation:${action}`, resource }, ...reading(stacks, asked)];
  };

/** Permission of calls about all stacks. */
export const onAll: AskedOfRole = (_, action) => [{ action: `cloudformation:${action}`, resource: '*' }];

function stackOf({ book, site }: Stacks, { StackName, ChangeSetName }: Asked): string {
  const stackId = book.changeSets.get(ChangeSetName)?.stackId ?? book.get(StackName)?.stackId;
  if (stackId !== undefined) return stackId;
  const { partition, region, account } = site;
  return StackName.startsWith('arn:')
    ? StackName
    : `arn:${partition}:cloudformation:${region}:${account}:stack/${StackName}/*`;
}

/** A service role is handed on by who names it. */
function passing({ RoleARN: resource }: Asked): Permission[] {
  const context = { 'iam:PassedToService': 'cloudformation.amazonaws.com' };
  return resource === undefined ? [] : [{ action: 'iam:PassRole', resource, context }];
}

/** A template in S3 is read with the caller's rights. */
function reading({ site }: Stacks, { TemplateURL }: Asked): Permission[] {
  const place = TemplateURL === undefined ? undefined : toObject(TemplateURL, site);
  if (place === undefined) return [];
  return [{ action: 's3:GetObject', resource: `arn:${site.partition}:s3:::${place.bucket}/${place.key}` }];
}
