import { join } from 'node:path';
import yazl from 'yazl';
import type { ResourceContext } from '../../cloudformation/resource-type.ts';
import { createCloudWatch } from '../../cloudwatch/service.ts';
import { createTargets } from '../../events/dispatcher.ts';
import { createEvents } from '../../events/service.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ExecutionStarter, ObjectAccess } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import { createFunctions } from '../../lambda/service.ts';
import { createLogs } from '../../logs/service.ts';
import { createTopics } from '../../sns/service.ts';
import { createQueues } from '../../sqs/service.ts';
import { localGateway, localSite } from './local-gateway.ts';
import { manualClock } from './manual-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** EventBridge, SQS, SNS, Lambda, Logs and alarms behind one port, wired as in the whole stack; state machines are noted only. */
export async function localMessaging(
  options: {
    readonly clock?: Clock;
    readonly dir?: string;
    readonly maxInstances?: number;
    readonly lambdaConcurrency?: number;
  } = {},
) {
  const dir = options.dir ?? temporaryFolder('local-messaging-');
  const clock = options.clock ?? manualClock(Date.now());
  const reports: string[] = [];
  const emails: { to: string; subject: string; path: string }[] = [];
  const started: { arn: string; input: string }[] = [];
  const lines: Record<string, string[]> = {};
  const archives = new Map<string, Buffer>();
  const build = (site: Site) => {
    const report = (line: string): void => void reports.push(line);
    const below = (name: string) => ({ dir: join(dir, name), site, clock, report });
    const executions: ExecutionStarter = {
      start: async (arn, input) => {
        started.push({ arn, input });
        return { executionArn: `${arn}:1` };
      },
    };
    const targets = createTargets(() => ({
      functions: lambda.functions,
      queues: sqs.queues,
      topics: sns.topics,
      logs: logs.logs,
      executions,
    }));
    const objects = { read: async (_: string, key: string) => archives.get(key) } as unknown as ObjectAccess;
    const cloudwatch = createCloudWatch(below('cloudwatch'));
    const logs = createLogs({ ...below('logs'), metrics: cloudwatch.metrics });
    const noted = {
      write: (group: string, stream: string, line: string): void => {
        (lines[group] ??= []).push(line);
        logs.logs.write(group, stream, line);
      },
    };
    const sqs = createQueues(below('sqs'));
    const lambda = createFunctions({
      ...below('lambda'),
      objects,
      logs: noted,
      limits: { lambdaConcurrency: options.lambdaConcurrency ?? 1000 },
      queues: sqs.queues,
      targets,
      ...(options.maxInstances === undefined ? {} : { maxInstances: options.maxInstances }),
    });
    const sns = createTopics({
      ...below('sns'),
      queues: sqs.queues,
      onEmail: (email) => void emails.push(email),
    });
    const events = createEvents({ ...below('events'), targets, random: () => 1 });
    return { logs, sqs, lambda, sns, events, cloudwatch };
  };
  let built: ReturnType<typeof build> | undefined;
  const gateway = await localGateway((site) => {
    built = build(site);
    return Object.values(built)
      .map(({ service }) => service)
      .sort((a) => (a.name === 'lambda' ? -1 : 0));
  });
  const services = built!;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= gateway.close());
  services.events.start();
  services.lambda.start();
  const resources = {
    ...services.logs.resources,
    ...services.sqs.resources,
    ...services.lambda.resources,
    ...services.sns.resources,
    ...services.events.resources,
    ...services.cloudwatch.resources,
  };
  return {
    ...gateway,
    ...services,
    dir,
    reports,
    emails,
    started,
    /** What was logged to a group, oldest first. */
    lines: (group: string): readonly string[] => lines[group] ?? [],
    /** Makes a CloudFormation resource; what `Ref` and `GetAtt` give comes back. */
    make: (type: string, properties: Record<string, unknown>, context: Partial<ResourceContext> = {}) =>
      resources[type]!.apply(properties, {
        stackName: 'stack',
        logicalId: 'Thing',
        physicalId: undefined,
        site: localSite,
        ...context,
      }),
    /** Makes a function whose module `index.mjs` is this text, or of several files. */
    makeFunction: async (
      name: string,
      code: string | Readonly<Record<string, string>>,
      properties: Record<string, unknown> = {},
    ) => {
      const key = `${name}-${archives.size}.zip`;
      archives.set(key, await zip(typeof code === 'string' ? { 'index.mjs': code } : code));
      return resources['AWS::Lambda::Function']!.apply(
        {
          FunctionName: name,
          Handler: 'index.handler',
          Runtime: 'nodejs24.x',
          Role: 'arn:aws:iam::000000000000:role/any',
          Code: { S3Bucket: 'code', S3Key: key },
          ...properties,
        },
        { stackName: 'stack', logicalId: name, physicalId: undefined, site: localSite },
      );
    },
    putArchive: (key: string, bytes: Buffer) => void archives.set(key, bytes),
    /** Its folder stays, for a second start. */
    close,
  };
}

export type LocalMessaging = Awaited<ReturnType<typeof localMessaging>>;

/** A zip archive of these texts. */
export async function zip(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, text] of Object.entries(files)) archive.addBuffer(Buffer.from(text), name);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks);
}
