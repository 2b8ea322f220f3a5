import type { Executions } from '../../aws/states/executions.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { startEndpointChange } from './start-endpoint-change.ts';

/**
 * Starts the repair of a dead execution's change: a deletion is finished, a deployment is rolled back. The same change with the same
 * key is repaired once.
 */
export async function repairChange(
  executions: Pick<Executions, 'start'>,
  pipeline: string,
  { action, run }: EndpointChange,
  { reason, key }: { readonly reason: string; readonly key: string },
): Promise<void> {
  const request = {
    action: action === 'delete' ? 'delete' : 'restore',
    pipeline,
    reason,
    ...(run !== null && { run }),
  } as const;
  await startEndpointChange(executions, request, key);
}
