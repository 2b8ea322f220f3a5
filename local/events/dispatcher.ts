import { AwsError } from '../gateway/aws-error.ts';
import type {
  ExecutionStarter,
  FunctionInvoker,
  LogWriter,
  QueueSender,
  TopicPublisher,
} from '../gateway/ports.ts';

/** The services that something can be delivered to. */
export interface TargetServices {
  readonly functions?: FunctionInvoker;
  readonly queues?: QueueSender;
  readonly topics?: TopicPublisher;
  readonly executions?: ExecutionStarter;
  readonly logs?: LogWriter;
}

/** Delivers a payload to whatever an ARN names: a function, queue, topic, state machine or log group. */
export interface Targets {
  /**
   * Resolves when the target has taken the payload (a function: queued its invocation).
   *
   * @throws {AwsError} the target's own error
   */
  deliver(arn: string, payload: string, options?: DeliveryOptions): Promise<void>;
}

/** What some targets take beside the payload. */
interface DeliveryOptions {
  /** Message attributes of a queue or topic. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly subject?: string;
}

type Deliver = (
  services: TargetServices,
  arn: string,
  payload: string,
  options: DeliveryOptions,
) => Promise<void> | void;

const KINDS: Readonly<Record<string, Deliver>> = {
  lambda: ({ functions }, arn, payload) => need(functions, 'lambda').invokeLater(arn, Buffer.from(payload)),
  sqs: ({ queues }, arn, payload, { attributes }) => need(queues, 'sqs').send(arn, payload, attributes),
  sns: ({ topics }, arn, body, { attributes, subject }) =>
    need(topics, 'sns').publish(arn, {
      body,
      ...(subject === undefined ? {} : { subject }),
      ...(attributes === undefined ? {} : { attributes }),
    }),
  states: async ({ executions }, arn, payload) => {
    await need(executions, 'states').start(arn, payload);
  },
  logs: ({ logs }, arn, payload) => {
    const group = arn.split(':').slice(6).join(':').replace(/:\*$/, '');
    need(logs, 'logs').write(group, 'events', payload);
  },
};

/**
 * Makes the dispatcher. `services` is asked at each delivery, as the services that deliver and those delivered to
 * need each other.
 */
export function createTargets(services: () => TargetServices): Targets {
  return {
    deliver: async (arn, payload, options = {}) => {
      await requireKnownTarget(arn)(services(), arn, payload, options);
    },
  };
}

/** @throws {AwsError} `ValidationException` if this stack cannot deliver to such an ARN */
export function requireKnownTarget(arn: string): Deliver {
  const service = arn.split(':')[2] ?? '';
  const deliver = Object.hasOwn(KINDS, service) ? KINDS[service] : undefined;
  if (deliver) return deliver;
  throw new AwsError(
    'ValidationException',
    `${arn}: this stack delivers to ${Object.keys(KINDS).join(', ')}, not to ${service || 'this'}`,
  );
}

function need<T>(service: T | undefined, name: string): T {
  if (service !== undefined) return service;
  throw new AwsError('ServiceUnavailable', `${name} does not run in this stack`, { statusCode: 503 });
}
