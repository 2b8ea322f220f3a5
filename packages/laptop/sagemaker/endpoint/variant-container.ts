import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ImageRefused } from '@inferdrop/model-container/container';
import { EndpointFailure, logGroupOf, pingFailure } from './endpoint-failure.ts';
import type { HostedVariant } from './endpoint-record.ts';
import { hostContainer, type HostedContainer, NeverHealthy } from './hosted-container.ts';
import { toServedImage } from './legacy-accelerator.ts';
import type { PreparedModel } from './prepare-model.ts';
import type { FleetOptions } from './variant-fleet.ts';

/** The service's own limits: a container has 4 minutes to pass its ping, 3 in a serverless variant. */
const STARTUP_SECONDS = { instance: 240, serverless: 180 } as const;

/** Starts one container of a variant; its output goes to a log stream of its own. */
export function startVariantContainer(
  options: FleetOptions,
  endpointName: string,
  { settings, instanceCount }: HostedVariant,
  model: PreparedModel,
): HostedContainer {
  const { VariantName, ContainerStartupHealthCheckTimeoutInSeconds } = settings;
  const stream = `${VariantName}/i-${randomBytes(8).toString('hex')}`;
  const defaultSeconds = instanceCount === undefined ? STARTUP_SECONDS.serverless : STARTUP_SECONDS.instance;
  return hostContainer({
    startContainer: options.startContainer,
    clock: options.clock,
    startupMs: (ContainerStartupHealthCheckTimeoutInSeconds ?? defaultSeconds) * 1000,
    spec: {
      image: toServedImage(model.image),
      modelDir: model.modelDir,
      cores: Math.max(1, Math.floor(availableParallelism() / (instanceCount ?? 1))),
      environment: model.environment,
      networkIsolation: model.networkIsolation,
      log: (line) => options.logs.write(logGroupOf(endpointName), stream, line),
    },
  });
}

/**
 * Waits for a container's first ping.
 *
 * @throws {EndpointFailure} if it never passes, or no container of this stack stands for the image
 */
export async function untilHealthy(
  container: HostedContainer,
  endpointName: string,
  { settings }: HostedVariant,
): Promise<void> {
  try {
    await container.client();
  } catch (error) {
    if (error instanceof NeverHealthy) throw pingFailure(settings.VariantName, endpointName, error.message);
    if (error instanceof ImageRefused) throw new EndpointFailure(error.message);
    throw error;
  }
}
