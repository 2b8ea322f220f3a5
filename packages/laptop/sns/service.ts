import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { everyServiceAllowed, type ResourcePolicyLookup, type ServiceAccess } from '../kernel/permission.ts';
import type { FunctionInvoker, TopicPublisher } from '../kernel/ports.ts';
import { queryService } from '../kernel/query-service.ts';
import type { Service, ServiceBase, ServiceRequest } from '../kernel/service.ts';
import type { QueueAccess } from '../sqs/service.ts';
import { confirmSubscription } from './actions/confirm-subscription.ts';
import { createTopic } from './actions/create-topic.ts';
import { deleteTopic } from './actions/delete-topic.ts';
import { getSubscriptionAttributes } from './actions/get-subscription-attributes.ts';
import { getTopicAttributes } from './actions/get-topic-attributes.ts';
import { listSubscriptions } from './actions/list-subscriptions.ts';
import { listTopics } from './actions/list-topics.ts';
import { publish } from './actions/publish.ts';
import { publishBatch } from './actions/publish-batch.ts';
import { setSubscriptionAttributes } from './actions/set-subscription-attributes.ts';
import { setTopicAttributes } from './actions/set-topic-attributes.ts';
import { subscribe } from './actions/subscribe.ts';
import { unsubscribe } from './actions/unsubscribe.ts';
import { publishPermissions } from './asked-of-role.ts';
import { defaultTopicPolicy } from './default-policy.ts';
import type { SentEmail } from './email.ts';
import { topicResources } from './resources.ts';
import { TopicDelivery } from './topic-delivery.ts';
import { toMessage } from './topic-message.ts';
import { TopicStore } from './topic-store.ts';

/** SNS: standard topics. */
export interface Topics {
  readonly service: Service;
  readonly topics: TopicPublisher;
  readonly resources: ResourceTypes;
  readonly policyOn: ResourcePolicyLookup;
}

const API_VERSION = '2010-03-31';

interface TopicsOptions extends ServiceBase {
  /** Where e-mails are written, an .eml file each; `outbox` below `dir` by default. */
  readonly outbox?: string;
  readonly queues: QueueAccess;
  readonly functions: FunctionInvoker;
  /** Access of topics to their subscribers; by default every topic reaches everything. */
  readonly access?: ServiceAccess;
  /** Called with each e-mail, for the console. */
  readonly onEmail?: (email: SentEmail) => void;
  readonly newId?: () => string;
  /** Called with messages that could not be delivered. */
  readonly report?: (line: string) => void;
}

/** Opens the topics kept in `dir`. */
export function createTopics(options: TopicsOptions): Topics {
  const parts = {
    outbox: join(options.dir, 'outbox'),
    access: everyServiceAllowed,
    onEmail: () => undefined,
    newId: randomUUID,
    report: (line: string): void => void process.stderr.write(`sns: ${line}\n`),
    ...options,
  };
  const { site, clock, newId } = parts;
  const delivery = new TopicDelivery(parts);
  const store = new TopicStore({ ...parts, delivery });
  const service = queryService({
    name: 'sns',
    apiVersion: API_VERSION,
    xmlns: `http://sns.amazonaws.com/doc/${API_VERSION}/`,
    validationCode: 'InvalidParameter',
    actions: [
      createTopic(store),
      deleteTopic(store),
      listTopics(store),
      getTopicAttributes(store, site),
      setTopicAttributes(store),
      subscribe(store),
      confirmSubscription(store),
      unsubscribe(store),
      publish(store, site, clock, newId),
      publishBatch(store, site, clock, newId),
      listSubscriptions('ListSubscriptions', store, site),
      listSubscriptions('ListSubscriptionsByTopic', store, site),
      getSubscriptionAttributes(store, site),
      setSubscriptionAttributes(store),
    ],
    close: () => delivery.close(),
  });
  return {
    service: withLinks(service),
    topics: {
      permissions: (topicArn) => publishPermissions(store, site, topicArn),
      publish: async (topicArn, { body, subject, attributes = {} }) => {
        const typed = Object.entries(attributes).map(([name, StringValue]) => [
          name,
          { DataType: 'String', StringValue },
        ]);
        const input = { Message: body, Subject: subject, MessageAttributes: Object.fromEntries(typed) };
        await store.publish(topicArn, toMessage(input, newId(), clock.now()));
      },
    },
    resources: topicResources(store),
    policyOn(arn) {
      const topic = store.topics().find((each) => each.arn === arn);
      return topic && (topic.attributes['Policy'] || defaultTopicPolicy(site, arn));
    },
  };
}

/** The links in confirmations and e-mails are plain GETs that anyone may follow: they are answered like the calls they name. */
function withLinks(service: Service): Service {
  const isLink = ({ method, path, query, accessKeyId }: ServiceRequest): boolean =>
    method === 'GET' &&
    path === '/' &&
    accessKeyId === undefined &&
    ['ConfirmSubscription', 'Unsubscribe'].includes(query.get('Action') ?? '');
  return {
    ...service,
    match: (request) => isLink(request) || service.match(request),
    answer: (request, response) =>
      service.answer(
        isLink(request) ? { ...request, form: request.query, accessKeyId: 'link' } : request,
        response,
      ),
  };
}
