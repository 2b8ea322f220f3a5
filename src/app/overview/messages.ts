import type { MessageRow } from '../../api/console/message-row.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { toRunId } from '../../run/run-id.ts';
import { newestEndpointMessages } from '../records/endpoint-message.ts';
import { messageJson } from '../records/run.ts';
import { listedRuns } from './run-rows.ts';

/** The newest messages about ended runs and trainings and about endpoints, newest first: at most `limit` of each. */
export async function newestMessages(store: ObjectStore, limit: number): Promise<readonly MessageRow[]> {
  const [ofRuns, ofEndpoints] = await Promise.all([
    messagesOfRuns(store, limit),
    newestEndpointMessages(store, limit),
  ]);
  const rows = ofEndpoints.map(({ pipeline, subject, body, sentAt }): MessageRow => ({
    run: null,
    pipeline,
    subject,
    body,
    at: sentAt,
    isSent: true,
  }));
  return [...ofRuns, ...rows].toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

async function messagesOfRuns(store: ObjectStore, limit: number): Promise<readonly MessageRow[]> {
  const messages = (await listedRuns(store, limit)).map(async ({ run }): Promise<MessageRow[]> => {
    const found = await messageJson(run).read(store);
    if (found === undefined) return [];
    const { subject, body, claimedAt, sentAt } = found;
    const about = { run: toRunId(run), pipeline: run.pipeline };
    return [{ ...about, subject, body, at: sentAt ?? claimedAt, isSent: sentAt !== undefined }];
  });
  return (await Promise.all(messages)).flat();
}
