import type { RoleSessions } from '../../kernel/permission.ts';
import type { Site } from '../../kernel/service.ts';
import type { CreateTrainingJobInput } from './training-job-record.ts';

/**
 * Variables that let the AWS SDKs in a script act as the job's role in this stack. With network isolation a script reaches no service.
 *
 * @param roles without them, as in tests of only this service, a script has no credentials
 */
export function roleEnvironment(
  site: Site,
  { RoleArn, EnableNetworkIsolation }: Pick<CreateTrainingJobInput, 'RoleArn' | 'EnableNetworkIsolation'>,
  roles: RoleSessions | undefined,
): Readonly<Record<string, string>> {
  if (roles === undefined || EnableNetworkIsolation === true) return {};
  const { accessKeyId, secretAccessKey } = roles.credentialsOf(RoleArn, 'SageMaker');
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_DEFAULT_REGION: site.region,
    AWS_ENDPOINT_URL: site.endpoint(),
  };
}
