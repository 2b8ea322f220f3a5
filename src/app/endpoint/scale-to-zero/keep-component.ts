import type { ComponentScaling } from '../../../aws/sagemaker/component-scaling.ts';
import type { InferenceComponents } from '../../../aws/sagemaker/components.ts';
import type { EndpointDescription, Endpoints } from '../../../aws/sagemaker/endpoints.ts';
import { type EndpointChange, isServingTouched } from '../../../endpoint/change.ts';
import type { Served } from '../../../endpoint/served.ts';
import { Condition } from '../../../problem/conditions.ts';
import { endNamedScaling, removeComponents } from './remove-components.ts';

interface KeepComponentServices {
  readonly endpoints: Pick<Endpoints, 'describeConfig'>;
  readonly components: InferenceComponents;
  readonly componentScaling: ComponentScaling;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Time for the component that served before to come to rest, and to go. */
const LOOKS = 100;
const LOOK_EVERY_MS = 2_000;

/** The component that serves after a change of an endpoint that scales to zero; null for other endpoints. */
export function servingComponent(
  { hostsComponents = false }: Pick<EndpointDescription, 'hostsComponents'>,
  outcome: 'deployed' | 'unchanged' | 'rolled-back' | 'deleted',
  change: EndpointChange,
  before: Pick<Served, 'live'> | undefined,
): string | null {
  if (!hostsComponents) return null;
  if (outcome === 'deployed') return change.configName;
  // What a roll-back has kept may be newer than the document: the end of the deployment has failed before it was written.
  return outcome === 'rolled-back' && isServingTouched(change)
    ? change.previousConfigName
    : (before?.live ?? null);
}

/**
 * Lets the component that serves be scaled between none and the copies of its configuration, and deletes the others.
 * The prediction API must name it already.
 *
 * @throws `ServiceUnavailable` while another is on its way to another status; repeating it is harmless
 */
export async function keepComponent(
  services: KeepComponentServices,
  found: EndpointDescription,
  component: string,
  before: Pick<Served, 'variants'> | undefined,
): Promise<void> {
  const { endpoints, componentScaling, pause } = services;
  const config = await endpoints.describeConfig(found.configName);
  for (const { hardware } of config?.variants ?? [])
    if (hardware.kind === 'scaleToZero') await componentScaling.register(component, hardware.maxCopies);
  // First: a repeated call no longer finds them in the document.
  await endNamedScaling(services, before, component);
  for (let look = 0; look < LOOKS; look += 1) {
    if (await removeComponents(services, found.name, component)) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Condition(
    'ServiceUnavailable',
    `SageMaker has not deleted the components other than ${component} yet`,
  );
}
