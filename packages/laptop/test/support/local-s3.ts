import { S3Client } from '@aws-sdk/client-s3';
import type { ResourceTypes } from '../../cloudformation/resource-type.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { BusEvent, ObjectAccess } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import { createS3 } from '../../s3/service.ts';
import { localGateway } from './local-gateway.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface LocalS3 extends AsyncDisposable {
  readonly client: S3Client;
  readonly objects: ObjectAccess;
  readonly resources: ResourceTypes;
  readonly endpoint: string;
  readonly site: Site;
  readonly dir: string;
  readonly gateway: Gateway;
  /** What S3 has put on the bus. */
  readonly events: BusEvent[];
  /** Stops it and starts it again on the same folder. */
  restart(): Promise<LocalS3>;
  close(): Promise<void>;
}

/** Gateway and S3 on a free port, in a folder that goes with them, and a client. Buckets are made by the test. */
export async function localS3(
  options: { readonly dir?: string; readonly clock?: Clock; readonly requestsPerSecond?: number } = {},
): Promise<LocalS3> {
  const dir = options.dir ?? temporaryFolder('local-s3-');
  const { clock = systemClock } = options;
  const events: BusEvent[] = [];
  const bus = { put: (event: BusEvent) => void events.push(event) };
  let made: ReturnType<typeof createS3> | undefined;
  const gateway = await localGateway((site) => {
    made = createS3({ dir, site, bus, clock, requestsPerSecond: options.requestsPerSecond });
    return [made.service];
  });
  if (!made) throw new Error('S3 was not made');
  const client = new S3Client(gateway.client);
  const close = async (): Promise<void> => {
    client.destroy();
    await gateway.close();
  };
  return {
    client,
    objects: made.objects,
    resources: made.resources,
    endpoint: gateway.endpoint,
    site: gateway.site,
    dir,
    gateway,
    events,
    async restart() {
      await close();
      return localS3({ dir, clock });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
