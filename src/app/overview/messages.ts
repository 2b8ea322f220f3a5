import type { MessageRow } from '../../api/console/message-row.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { RunParts } from '../../run/run-id.ts';
import { messageJson } from '../records/run.ts';
import { endedRows } from './run-rows.ts';

/** The messages of the newest ended runs and trainings, newest first. Those of endpoints are kept nowhere but with their subscribers. */
export async function newestMessages(store: ObjectStore, limit: number): Promise<readonly MessageRow[]> {
  const rows = await endedRows(store, limit);
  const messages = rows.map(async ({ run, endedAt }): Promise<MessageRow[]> => {
    const found = await messageJson(RunParts.parse(run)).read(store);
    if (found === undefined) return [];
    const { subject, body, sentAt } = found;
    return [{ run, subject, body, at: sentAt ?? endedAt ?? found.claimedAt, isSent: sentAt !== undefined }];
  });
  return (await Promise.all(messages)).flat();
}
