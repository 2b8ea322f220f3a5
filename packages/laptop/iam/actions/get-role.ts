import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { QueryActions } from '../../kernel/query-service.ts';
import type { Site } from '../../kernel/service.ts';
import type { RoleStore } from '../role-store.ts';

const Input = z.strictObject({ RoleName: z.string() });

/** `GetRole`, without dates: the stack does not keep when a role was made. */
export function getRole(store: RoleStore, site: Site): QueryActions[string] {
  return (input) => {
    const { RoleName } = Input.parse(input);
    const arn = `arn:${site.partition}:iam::${site.account}:role/${RoleName}`;
    if (!store.has(arn))
      throw new AwsError('NoSuchEntity', `The role with name ${RoleName} cannot be found.`, {
        statusCode: 404,
      });
    const trust = store.trustOf(arn);
    return {
      Role: {
        Path: '/',
        RoleName,
        Arn: arn,
        ...(trust && { AssumeRolePolicyDocument: encodeURIComponent(JSON.stringify(trust)) }),
      },
    };
  };
}
