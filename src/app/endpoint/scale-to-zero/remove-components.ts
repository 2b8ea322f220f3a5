import type { ComponentScaling } from '../../../aws/sagemaker/component-scaling.ts';
import type { InferenceComponents } from '../../../aws/sagemaker/components.ts';
import { isComponentAtRest } from '../../../endpoint/next-component-move.ts';

interface RemoveComponentsServices {
  readonly components: Pick<InferenceComponents, 'namesOn' | 'describe' | 'delete'>;
  readonly componentScaling: Pick<ComponentScaling, 'deregister'>;
}

/**
 * Deletes the inference components of an endpoint but the one that is to stay. False while one is there: SageMaker deletes none on its
 * way to another status, and an endpoint only without components. Call again.
 */
export async function removeComponents(
  { components, componentScaling }: RemoveComponentsServices,
  endpointName: string,
  kept: string | null,
): Promise<boolean> {
  const others = (await components.namesOn(endpointName)).filter((name) => name !== kept);
  for (const name of others) {
    const found = await components.describe(name);
    if (found === undefined || !isComponentAtRest(found)) continue;
    await componentScaling.deregister(name);
    await unlessWaking(components.delete(name), name, components);
  }
  return others.length === 0;
}

/** A request may have begun to wake the component since it was seen at rest. */
async function unlessWaking(
  deletion: Promise<void>,
  name: string,
  components: Pick<InferenceComponents, 'describe'>,
): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    const found = await components.describe(name);
    if (found === undefined || isComponentAtRest(found)) throw error;
  }
}

interface ServedComponent {
  readonly component?: string | null | undefined;
}

/**
 * Stops the scaling of the components in a served document, except the one that stays: SageMaker doesn't list a component that was
 * deleted by hand, and its alarm costs money.
 */
export async function endNamedScaling(
  { componentScaling }: Pick<RemoveComponentsServices, 'componentScaling'>,
  served: { readonly variants?: Readonly<Record<string, ServedComponent>> | undefined } | undefined,
  kept: string | null,
): Promise<void> {
  for (const { component } of Object.values(served?.variants ?? {}))
    if (component && component !== kept) await componentScaling.deregister(component);
}
