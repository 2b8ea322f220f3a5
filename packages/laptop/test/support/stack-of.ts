import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack } from '@inferdrop/laptop';

/** AWS on this machine with one stack `s` of these resources; `client` are the settings of any SDK client. */
export async function stackOf(
  Resources: Readonly<Record<string, unknown>>,
  Parameters: Readonly<Record<string, unknown>> = {},
) {
  const dir = await mkdtemp(path.join(tmpdir(), 'stack-of-'));
  const stack = await startStack({
    port: 0,
    dir,
    credentials: { test: 'test' },
    onProblem: () => undefined,
  });
  const template = JSON.stringify({ Parameters, Resources });
  const { resources } = await stack.deploy({ stackName: 's', template, parameters: {} });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return {
    client: { endpoint: stack.endpoint, region: 'us-east-1', credentials },
    physicalId: (id: string) => resources.find(({ logicalId }) => logicalId === id)!.physicalId,
    async close() {
      await stack.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
