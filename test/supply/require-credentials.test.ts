import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { requireCredentials } from '../../scripts/require-credentials.mjs';

beforeEach(() => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'AWS_ENDPOINT_URL'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere/aws');
});
afterEach(() => vi.unstubAllEnvs());

it('refuses a deployment without credentials, with the remedy', async () => {
  await expect(requireCredentials(['deploy', '--stage', 'prod'])).rejects.toThrow(
    /^No AWS credentials \(.+\): set AWS_PROFILE, or AWS_ACCESS_KEY_ID/,
  );
  await expect(requireCredentials(['remove', '--aws-profile=none'])).rejects.toThrow('No AWS credentials');
});

it('lets pass a deployment with credentials, one to this machine, and what needs none', async () => {
  await requireCredentials(['runs']);
  await requireCredentials(['deploy', '--help']);
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:4566');
  await requireCredentials(['deploy']);
  vi.stubEnv('AWS_ENDPOINT_URL', undefined);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  await requireCredentials(['deploy']);
});
