import type { Executions } from '../../aws/executions.ts';
import type { EndpointChange } from '../../endpoint/change.ts';
import { startEndpointChange } from './start-endpoint-change.ts';

/**
 * Starts what puts right the change of an execution that died: a deletion goes on, a deployment goes back to what served
 * before. The same change with the same key is mended once.
 */
export async function mendChange(
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
