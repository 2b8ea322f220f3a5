import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { EndpointKindName } from '../../endpoints/kind.ts';
import { endpointKind } from '../../endpoints/kinds.ts';
import { Condition } from '../../problem/conditions.ts';

/**
 * Refuses to change the kind of an endpoint. SageMaker cannot turn instances into serverless, and cannot undo the
 * opposite change, which a roll-back would need ("Feature exclusions" of serverless inference in the developer guide);
 * between SageMaker and Lambda two endpoints of one name would have to be told apart until the second test has passed.
 *
 * @throws {EndpointKindDiffers}
 */
export async function requireSameKind(
  endpoints: Pick<Endpoints, 'describeConfig'>,
  found: { readonly name: string; readonly configName: string },
  { pipeline, kind }: { readonly pipeline: string; readonly kind: EndpointKindName },
): Promise<void> {
  const config = await endpoints.describeConfig(found.configName);
  for (const { hardware } of config?.variants ?? [])
    if (hardware.kind !== kind)
      throw new Condition(
        'EndpointKindDiffers',
        `endpoint ${found.name} ${endpointKind(hardware.kind).words}, and endpoint.type of the run is "${kind}": an ` +
          `endpoint keeps its kind. Delete it with: inferdrop endpoints delete ${pipeline}, and deploy again; nothing ` +
          'answers in between',
      );
}
