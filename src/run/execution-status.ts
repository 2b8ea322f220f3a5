/** Whether an execution runs, or is about to run again; an unknown one does not. */
export function isAlive(execution: { readonly status: string } | undefined): boolean {
  return execution?.status === 'RUNNING' || execution?.status === 'PENDING_REDRIVE';
}
