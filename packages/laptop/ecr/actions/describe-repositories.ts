import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';

/** There are no repositories; a request for one by name gets "not found". */
export const describeRepositories = (site: Site) =>
  action('DescribeRepositories', {
    input: z.strictObject({
      registryId: z.string().optional(),
      repositoryNames: z.array(z.string()).min(1).max(100).optional(),
      nextToken: z.string().optional(),
      maxResults: z.number().optional(),
    }),
    run: ({ registryId = site.account, repositoryNames = [] }) => {
      const [name] = repositoryNames;
      if (name === undefined) return { repositories: [] };
      throw new AwsError(
        'RepositoryNotFoundException',
        `The repository with name '${name}' does not exist in the registry with id '${registryId}'`,
      );
    },
  });
