import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { everyServiceAllowed, type ServiceAccess } from '../kernel/permission.ts';
import type { TopicPublisher } from '../kernel/ports.ts';
import { queryService } from '../kernel/query-service.ts';
import type { ServiceBase } from '../kernel/service.ts';
import type { QueueAccess } from '../sqs/service.ts';
import { subscriptionActions } from './actions/subscriptions.ts';
import { topicActions } from './actions/topics.ts';
import { defaultTopicPolicy, publishPermissions } from './asked-of-role.ts';
import type { SentEmail } from './email.ts';
import { topicResources } from './resources.ts';
import { topicDelivery } from './topic-delivery.ts';
import { toMessage } from './topic-message.ts';
import { TopicStore } from './topic-store.ts';

const API_VERSION = '2010-03-31';

interface TopicsOptions extends ServiceBase {
  /** Where e-mails are written, an .eml file each; `outbox` below `dir` by default. */
  readonly outbox?: string;
  readonly queues: QueueAccess;
  /** Access of topics to the queues that subscribed; by default every topic reaches every queue. */
  readonly access?: ServiceAccess;
  /** Called with each e-mail, for the console. */
  readonly onEmail?: (email: SentEmail) => void;
  readonly newId?: () => string;
  /** Called with messages that could not be delivered. */
  readonly report?: (line: string) => void;
}

/** SNS: standard topics. Opens those kept in `dir`. */
export function createTopics(options: TopicsOptions) {
  const parts = {
    outbox: join(options.dir, 'outbox'),
    access: everyServiceAllowed,
    onEmail: () => undefined,
    newId: randomUUID,
    report: (line: string): void => void process.stderr.write(`sns: ${line}\n`),
    ...options,
  };
  const { site, clock, newId } = parts;
  const store = new TopicStore({ ...parts, deliver: topicDelivery(parts) });
  const service = queryService({
    name: 'sns',
    apiVersion: API_VERSION,
    xmlns: `http://sns.amazonaws.com/doc/${API_VERSION}/`,
    validationCode: 'InvalidParameter',
    actions: [...topicActions(store, site, clock, newId), ...subscriptionActions(store, site)],
  });
  const topics: TopicPublisher = {
    permissions: (topicArn) => publishPermissions(store, site, topicArn),
    publish: async (topicArn, { body, subject, attributes = {} }) => {
      const typed = Object.entries(attributes).map(([name, StringValue]) => [
        name,
        { DataType: 'String', StringValue },
      ]);
      const input = { Message: body, Subject: subject, MessageAttributes: Object.fromEntries(typed) };
      await store.publish(topicArn, toMessage(input, newId(), clock.now()));
    },
  };
  return {
    service,
    topics,
    resources: topicResources(store),
    policyOn(arn: string) {
      const topic = store.topics().find((each) => each.arn === arn);
      return topic && (topic.attributes['Policy'] || defaultTopicPolicy(site, arn));
    },
  };
}
