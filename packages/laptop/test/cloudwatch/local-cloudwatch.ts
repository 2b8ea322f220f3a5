import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { type CloudWatch, createCloudWatch } from '../../cloudwatch/service.ts';
import { localGateway } from '../support/local-gateway.ts';
import { manualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** CloudWatch on a free port, with a clock that stands at 2026-01-01. */
export async function localCloudWatch(dir = temporaryFolder('cloudwatch-')) {
  const clock = manualClock();
  let cloudwatch: CloudWatch | undefined;
  const gateway = await localGateway((site) => {
    cloudwatch = createCloudWatch({ dir, site, clock });
    return [cloudwatch.service];
  });
  return {
    dir,
    clock,
    client: new CloudWatchClient(gateway.client),
    /** Measures as a service of the stack does. */
    put: (...values: Parameters<CloudWatch['metrics']['put']>) => cloudwatch!.metrics.put(...values),
    stateOf: cloudwatch!.alarms.stateOf,
    close: () => gateway.close(),
  };
}

export type LocalCloudWatch = Awaited<ReturnType<typeof localCloudWatch>>;
