import type { Topic } from '../../aws/messages/topic.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { toEndpointName } from '../../endpoint/names.ts';
import { type EndpointNews, toEndpointNotice } from '../../notice/endpoint-notice.ts';
import { endpointMessageJson } from '../records/endpoint-message.ts';
import type { EndpointScope } from './endpoint-scope.ts';

/** Services that send and keep the messages about endpoints. */
export interface TellServices {
  readonly store: Pick<ObjectStore, 'bucket' | 'write'>;
  readonly topic: Topic;
  readonly clock: () => Date;
  readonly scope: EndpointScope;
}

/**
 * Sends a message about a pipeline's endpoint, and keeps it where the console finds it. A caller that repeats it because it could not be
 * kept sends it twice, since losing it would be worse.
 */
export async function tellOfEndpoint(
  pipeline: string,
  news: EndpointNews,
  { store, topic, clock, scope }: TellServices,
): Promise<{ readonly messageId: string }> {
  const notice = toEndpointNotice(
    pipeline,
    toEndpointName({ prefix: scope.prefix, bucket: store.bucket }, pipeline),
    news,
  );
  const { messageId } = await topic.publish(notice);
  const sentAt = clock();
  await endpointMessageJson(pipeline, sentAt, messageId).write(store, {
    schema: 1,
    pipeline,
    subject: notice.subject,
    body: notice.body,
    messageId,
    sentAt: sentAt.toISOString(),
  });
  return { messageId };
}
