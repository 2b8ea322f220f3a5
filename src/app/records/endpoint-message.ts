import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { bucketLayout, folderName, newestFirst } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** A message about a pipeline's endpoint that was sent. */
const EndpointMessage = z.object({
  schema: z.literal(1),
  pipeline: z.string(),
  subject: z.string(),
  body: z.string(),
  /** SNS's id of it. */
  messageId: z.string(),
  sentAt: z.iso.datetime(),
});
type EndpointMessage = z.infer<typeof EndpointMessage>;

/** A message by its pipeline, time and id; listed in the order of their keys, messages are the newest first. */
export const endpointMessageJson = jsonDocument({
  key: bucketLayout.endpointMessage,
  schema: EndpointMessage,
  write: 'replace',
});
const listedMessage = jsonDocument({
  key: (key: string) => key,
  schema: EndpointMessage,
  write: 'elsewhere',
});

const CONCURRENT_READS = 16;

/** The newest messages about endpoints of all pipelines, newest first. One that S3 removes meanwhile is skipped. */
export async function newestEndpointMessages(
  store: ObjectStore,
  limit: number,
): Promise<readonly EndpointMessage[]> {
  const folders = await Array.fromAsync(store.listFolders(bucketLayout.endpointMessages()), folderName);
  const pages = folders.map((name) =>
    store.listPage(bucketLayout.pipelineFolder('messages', name), { limit }),
  );
  const listed = (await Promise.all(pages)).flatMap(({ objects }) => objects);
  const found: EndpointMessage[] = [];
  const newest = listed.toSorted(newestFirst).slice(0, limit);
  const read = inOrder(newest, CONCURRENT_READS, ({ key }) => listedMessage(key).read(store));
  for await (const [, message] of read) if (message !== undefined) found.push(message);
  return found;
}
