import { localStack } from './local-stack.ts';

/** AWS on this machine with one stack `s` of these resources; `client` are the settings of any SDK client. */
export async function stackOf(
  Resources: Readonly<Record<string, unknown>>,
  Parameters: Readonly<Record<string, unknown>> = {},
) {
  const { client, deploy, close } = await localStack({ onProblem: () => undefined });
  const template = JSON.stringify({ Parameters, Resources });
  const { resources } = await deploy({ stackName: 's', template, parameters: {} });
  return {
    client,
    physicalId: (id: string) => resources.find(({ logicalId }) => logicalId === id)!.physicalId,
    close,
  };
}
