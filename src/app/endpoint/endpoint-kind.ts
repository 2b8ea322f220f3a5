import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointHardware } from '../../endpoint/content.ts';
import { Condition } from '../../problem/conditions.ts';

const WORDS: Readonly<Record<EndpointHardware['kind'], string>> = {
  instance: 'runs on instances',
  serverless: 'is serverless',
};

/**
 * Refuses to change an endpoint between instances and serverless. SageMaker cannot turn instances into serverless, and cannot undo the
 * opposite change, which a roll-back would need ("Feature exclusions" of serverless inference in the developer guide).
 *
 * @throws {EndpointKindDiffers}
 */
export async function requireSameKind(
  endpoints: Pick<Endpoints, 'describeConfig'>,
  found: { readonly name: string; readonly configName: string },
  { pipeline, kind }: { readonly pipeline: string; readonly kind: EndpointHardware['kind'] },
): Promise<void> {
  const config = await endpoints.describeConfig(found.configName);
  for (const { hardware } of config?.variants ?? [])
    if (hardware.kind !== kind)
      throw new Condition(
        'EndpointKindDiffers',
        `endpoint ${found.name} ${WORDS[hardware.kind]}, and endpoint.type of the run is "${kind}": SageMaker cannot change the one into the other and back. Delete it with: inferdrop endpoints delete ${pipeline}, and deploy again; nothing answers in between`,
      );
}
