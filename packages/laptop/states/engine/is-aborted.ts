import { ExecutionStopped } from './execution.ts';

/** Why the others of a group end when one of them failed. */
export class NeighborFailed extends Error {
  override readonly name = 'NeighborFailed';
}

/** Whether states under this signal end as `…Aborted` in the history: the execution was stopped, or a neighbor failed. */
export function isAborted({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason instanceof ExecutionStopped || reason instanceof NeighborFailed);
}
