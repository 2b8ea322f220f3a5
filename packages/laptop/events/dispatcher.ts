import { AwsError, validationException } from '../kernel/aws-error.ts';
import type { Permission, RoleSessions, ServiceAccess, ServiceCaller } from '../kernel/permission.ts';
import type {
  ExecutionStarter,
  FunctionInvoker,
  LogWriter,
  QueueSender,
  TopicPublisher,
} from '../kernel/ports.ts';

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
   * @throws {AwsError} the target's own error, or `AccessDenied`
   */
  deliver(arn: string, payload: string, by: Deliverer, options?: DeliveryOptions): Promise<void>;
}

/** The caller of a delivery: a service itself, or a session of a role. */
export type Deliverer = ServiceCaller | { readonly roleArn: string; readonly sessionName: string };

/** Settings that some targets take next to the payload. */
interface DeliveryOptions {
  /** Message attributes of a queue or topic. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly subject?: string;
}

interface Kind {
  permissions(services: TargetServices, arn: string): readonly Permission[];
  deliver(
    services: TargetServices,
    arn: string,
    payload: string,
    options: DeliveryOptions,
  ): Promise<void> | void;
}

const one = (action: string) => (_: TargetServices, resource: string) => [{ action, resource }];

const KINDS: Readonly<Record<string, Kind>> = {
  lambda: {
    permissions: one('lambda:InvokeFunction'),
    deliver: ({ functions }, arn, payload) =>
      need(functions, 'lambda').invokeLater(arn, Buffer.from(payload)),
  },
  sqs: {
    permissions: one('sqs:SendMessage'),
    deliver: ({ queues }, arn, payload, { attributes }) => need(queues, 'sqs').send(arn, payload, attributes),
  },
  sns: {
    permissions: ({ topics }, arn) => need(topics, 'sns').permissions(arn),
    deliver: ({ topics }, arn, body, { attributes, subject }) =>
      need(topics, 'sns').publish(arn, {
        body,
        ...(subject === undefined ? {} : { subject }),
        ...(attributes === undefined ? {} : { attributes }),
      }),
  },
  states: {
    permissions: one('states:StartExecution'),
    deliver: async ({ executions }, arn, payload) => {
      await need(executions, 'states').start(arn, payload);
    },
  },
  logs: {
    permissions: one('logs:PutLogEvents'),
    deliver: ({ logs }, arn, payload) => {
      const group = arn.split(':').slice(6).join(':').replace(/:\*$/, '');
      need(logs, 'logs').write(group, 'events', payload);
    },
  },
};

/**
 * Makes the dispatcher. `services` is called at each delivery, because senders and receivers need each other. Without `access`
 * every delivery is allowed.
 */
export function createTargets(
  services: () => TargetServices,
  access?: { readonly services: ServiceAccess; readonly sessions: Pick<RoleSessions, 'refusal'> },
): Targets {
  const refusalOf = (by: Deliverer, permissions: readonly Permission[]): string | null => {
    if (access === undefined) return null;
    return 'service' in by
      ? access.services.refusal(by, permissions)
      : access.sessions.refusal(by.roleArn, by.sessionName, permissions);
  };
  return {
    deliver: async (arn, payload, by, options = {}) => {
      const kind = requireKnownTarget(arn);
      const refusal = refusalOf(by, kind.permissions(services(), arn));
      if (refusal !== null) throw new AwsError('AccessDenied', refusal, { statusCode: 403 });
      await kind.deliver(services(), arn, payload, options);
    },
  };
}

/** @throws {AwsError} `ValidationException` if this stack cannot deliver to such an ARN */
export function requireKnownTarget(arn: string): Kind {
  const service = arn.split(':')[2] ?? '';
  const kind = Object.hasOwn(KINDS, service) ? KINDS[service] : undefined;
  if (kind) return kind;
  throw validationException(
    `${arn}: this stack delivers to ${Object.keys(KINDS).join(', ')}, not to ${service || 'this'}`,
  );
}

function need<T>(service: T | undefined, name: string): T {
  if (service !== undefined) return service;
  throw new AwsError('ServiceUnavailable', `${name} does not run in this stack`, { statusCode: 503 });
}
