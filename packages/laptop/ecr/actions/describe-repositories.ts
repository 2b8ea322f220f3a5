import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { JsonActions, Site } from '../../kernel/service.ts';

const Input = z.strictObject({
  registryId: z.string().optional(),
  repositoryNames: z.array(z.string()).min(1).max(100).optional(),
  nextToken: z.string().optional(),
  maxResults: z.number().optional(),
});

/** None; one that is asked for by name is not found. */
export function describeRepositories(site: Site): JsonActions[string] {
  return (given) => {
    const { registryId = site.account, repositoryNames: [name] = [] } = Input.parse(given);
    if (name === undefined) return { repositories: [] };
    throw new AwsError(
      'RepositoryNotFoundException',
      `The repository with name '${name}' does not exist in the registry with id '${registryId}'`,
    );
  };
}
