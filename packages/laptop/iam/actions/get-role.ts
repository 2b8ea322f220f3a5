import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';
import { roleIdOf, type RoleStore } from '../role-store.ts';

/** `GetRole`, without a role's tags, boundary and last use. */
export const getRole = (store: RoleStore, site: Site) =>
  action('GetRole', {
    input: z.strictObject({ RoleName: z.string() }),
    run: ({ RoleName }) => {
      const arn = `arn:${site.partition}:iam::${site.account}:role/${RoleName}`;
      const createdAt = store.createdAt(arn);
      if (createdAt === undefined)
        throw new AwsError('NoSuchEntity', `The role with name ${RoleName} cannot be found.`, {
          statusCode: 404,
        });
      const trust = store.trustOf(arn);
      return {
        Role: {
          Path: '/',
          RoleName,
          RoleId: roleIdOf(RoleName),
          Arn: arn,
          CreateDate: new Date(createdAt),
          ...(trust && { AssumeRolePolicyDocument: encodeURIComponent(JSON.stringify(trust)) }),
        },
      };
    },
  });
