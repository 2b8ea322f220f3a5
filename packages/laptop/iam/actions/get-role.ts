import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';
import type { RoleStore } from '../role-store.ts';

/** `GetRole`, without dates: the stack does not keep when a role was made. */
export const getRole = (store: RoleStore, site: Site) =>
  action('GetRole', {
    input: z.strictObject({ RoleName: z.string() }),
    run: ({ RoleName }) => {
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
    },
  });
