import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointHardware } from '../../endpoint/content.ts';
import { Condition } from '../../problem/conditions.ts';

const WORDS: Readonly<Record<EndpointHardware['kind'], string>> = {
  instance: 'runs on instances',
  serverless: 'is serverless',
};

/**
 * SageMaker makes no endpoint of instances serverless, and where it makes instances of a serverless one, it does not go back, which a
 * roll-back would have to ("Feature exclusions" of serverless inference in the developer guide). So neither is tried.
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
