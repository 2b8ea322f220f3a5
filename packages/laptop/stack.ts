import type * as z from 'zod';
import { requireExactHosts } from '@inferdrop/training-container/internal/find-namespaces';
import type { StackRecord, StackStatus } from './cloudformation/stack-record.ts';
import type { Deployment } from './cloudformation/stacks.ts';
import { startGateway } from './gateway/gateway.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { ObjectAccess } from './kernel/ports.ts';
import type { Site } from './kernel/service.ts';
import { openServices, type ServicesOptions } from './open-services.ts';
import { AccountLimits } from './service-quotas/account-limits.ts';

/** A stack's folder, port, owner and limits. */
export interface StackOptions extends ServicesOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Region, which decides the partition; us-east-1 by default. */
  readonly region?: string;
  /** Secrets by access key id, of the account's owner. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Limits that AWS sets the account; the defaults of each are in `AccountLimits`. */
  readonly limits?: z.input<typeof AccountLimits>;
  /** Address of a page that a browser is led to which opens the stack's own; undefined if there is none. */
  readonly homePage?: () => string | undefined;
  /** Called with things that work here but wouldn't in AWS; stderr by default. */
  readonly onProblem?: (line: string) => void;
  /** Called in tests with each answer that does not match AWS's own model. */
  readonly onBadAnswer?: (problem: string) => void;
  /** Called for each service as it comes up. */
  readonly onService?: (name: string, text: string) => void;
}

/** Each service in a few words, for the person who sees it come up. */
const SERVICES: readonly (readonly [string, string])[] = [
  ['s3', 'objects, versions, events'],
  ['eventbridge', 'rules and schedules'],
  ['sqs', 'queues with dead letters'],
  ['lambda', 'each function in processes of its own'],
  ['step functions', 'JSONata machines, Distributed Map'],
  ['sns', 'e-mail goes to a folder'],
  ['sagemaker', 'training, batch transform and endpoints that really run'],
  ['api gateway', 'HTTP APIs with IAM and JWT'],
  ['cloudwatch', 'metrics, alarms, logs'],
];

/** AWS on this machine: one account in one region behind one port. */
export interface Stack {
  readonly endpoint: string;
  readonly site: Site;
  readonly objects: ObjectAccess;
  deploy(deployment: Deployment): Promise<StackRecord>;
  /** Undefined if there is no such stack, or one that was only reviewed. */
  statusOf(stackName: string): StackStatus | undefined;
  /** @throws {AwsError} `ValidationError` naming what cannot be deleted */
  delete(stackName: string): Promise<void>;
  /** @throws {AwsError} `ValidationError` for a stack that does not exist */
  find(stackName: string): StackRecord;
  close(): Promise<void>;
}

/** Brings every service up behind one port, with all that an earlier run left in `dir`. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { clock = systemClock, onService = () => undefined, region = 'us-east-1' } = options;
  const onProblem = options.onProblem ?? ((line: string): void => void process.stderr.write(`${line}\n`));
  const site: Site = {
    account: '000000000000',
    region,
    partition: partitionOf(region),
    endpoint: () => gateway.endpoint,
  };
  const limits = AccountLimits.parse(options.limits ?? {});
  // Fails here, with the remedy, rather than in the first job.
  if (options.trainingMode === 'exact') await requireExactHosts();
  const { opened, objects, stacks, roles, judgeAlarms } = openServices({ ...options, site, clock, limits });
  const gateway = await startGateway({
    port: options.port,
    site,
    credentials: options.credentials,
    roles,
    ...(options.onBadAnswer && { onBadAnswer: options.onBadAnswer }),
    ...(options.homePage && { homePage: options.homePage }),
    fronts: opened.flatMap(({ front = [] }) => front),
    // The last opened first: each closes before its dependencies, and S3, which matches every path, comes last.
    services: opened.flatMap(({ service = [] }) => service).reverse(),
  });
  for (const [name, text] of SERVICES) onService(name, text);
  for (const { start } of opened) start?.();
  return {
    endpoint: gateway.endpoint,
    site,
    objects,
    async deploy(deployment) {
      const { record, events: happened } = await stacks.deploy(deployment);
      for (const { logicalId, physicalId, status, reason } of happened)
        if (status === 'DELETE_FAILED')
          onProblem(`cloudformation: ${logicalId} (${physicalId}) stays, outside the stack: ${reason}`);
      for (const line of judgeAlarms()) onProblem(`cloudwatch: ${line}`);
      return record;
    },
    statusOf(stackName) {
      const status = stacks.book.get(stackName)?.status;
      return status === 'REVIEW_IN_PROGRESS' ? undefined : status;
    },
    delete: (stackName) => stacks.delete(stackName),
    find: (stackName) => stacks.book.find(stackName),
    close: () => gateway.close(),
  };
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
