import type { Operation } from './operation.ts';

/** Why an operation is undone, in AWS's words: `The following resource(s) failed to create: [Queue]. ` */
export function failedReason({ log }: Operation): string {
  const named = (status: string, verb: string): string => {
    const failed = log.events.filter((event) => event.status === status).map(({ logicalId }) => logicalId);
    return failed.length === 0 ? '' : `The following resource(s) failed to ${verb}: [${failed.join(', ')}]. `;
  };
  return (
    named('CREATE_FAILED', 'create') + named('UPDATE_FAILED', 'update') + named('DELETE_FAILED', 'delete')
  );
}
