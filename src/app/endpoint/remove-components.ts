import type { ComponentScaling } from '../../aws/sagemaker/component-scaling.ts';
import type { InferenceComponents } from '../../aws/sagemaker/components.ts';
import { isComponentAtRest } from '../../endpoint/next-component-move.ts';

/**
 * Deletes the inference components of an endpoint but the one that is to stay. False while one is there: SageMaker deletes none on its
 * way to another status, and an endpoint only without components. Call again.
 */
export async function removeComponents(
  {
    components,
    componentScaling,
  }: {
    readonly components: Pick<InferenceComponents, 'namesOn' | 'describe' | 'delete'>;
    readonly componentScaling: Pick<ComponentScaling, 'deregister'>;
  },
  endpointName: string,
  kept: string | null,
): Promise<boolean> {
  const others = (await components.namesOn(endpointName)).filter((name) => name !== kept);
  for (const name of others) {
    const found = await components.describe(name);
    if (found === undefined) continue;
    await componentScaling.deregister(name);
    if (isComponentAtRest(found)) await components.delete(name);
  }
  return others.length === 0;
}
