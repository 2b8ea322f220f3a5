import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createEvents, type Events } from '../../events/service.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { createStates } from '../../states/service.ts';
import { localSite } from '../support/local-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const TARGET = 'arn:aws:sqs:us-east-1:000000000000:in';
/** What a process that is killed leaves on the disk is what it wrote before: here no service is closed before the next opens. */
const never = new Promise<void>(() => undefined);

let dir: string;
let delivered: string[];
beforeEach(async () => {
  dir = temporaryFolder('outbox-');
  delivered = [];
});

function open(deliver: (payload: string) => Promise<void> | void): Events {
  const targets = { deliver: async (_: string, payload: string) => deliver(payload) };
  return createEvents({ dir: join(dir, 'events'), site: localSite, clock: systemClock, targets });
}

async function rule({ resources }: Events, pattern: object): Promise<void> {
  await resources['AWS::Events::Rule']!.apply(
    { Name: 'r', EventPattern: pattern, Targets: [{ Id: 't', Arn: TARGET }] },
    { stackName: 's', logicalId: 'r', physicalId: undefined, site: localSite },
  );
}

const take = (payload: string): void => void delivered.push(JSON.parse(payload).detail.name);

test('an event that no target has taken when the stack is killed is delivered at the next start, and once', async () => {
  const killed = open(() => never);
  await rule(killed, { source: ['app'] });
  await killed.bus.put({ source: 'app', 'detail-type': 'd', detail: { name: 'cut off' } });
  const next = open(take);
  next.start();
  await until(async () => delivered.length > 0);
  await next.bus.put({ source: 'app', 'detail-type': 'd', detail: { name: 'later' } });
  await next.service.close?.();
  const last = open(take);
  last.start();
  await last.service.close?.();
  expect(delivered).toEqual(['cut off', 'later']);
});

test('S3 answers a write when its event is on disk', async () => {
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const bus = { put: () => written };
  const { objects, resources } = createS3({ dir: join(dir, 's3'), site: localSite, bus, clock: systemClock });
  await resources['AWS::S3::Bucket']!.apply(
    {
      BucketName: 'data',
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
    },
    { stackName: 's', logicalId: 'b', physicalId: undefined, site: localSite },
  );
  const steps: string[] = [];
  const write = objects.write('data', 'k', Buffer.from('x')).then(() => steps.push('answered'));
  await new Promise((done) => setImmediate(done));
  steps.push('on disk');
  resolve();
  await write;
  expect(steps).toEqual(['on disk', 'answered']);
});

test('the end of an execution is announced again where the stack was killed before its event was on disk', async () => {
  const clock: Clock = systemClock;
  const announced: unknown[] = [];
  const openStates = (put: (status: unknown) => Promise<void> | void) =>
    createStates({
      dir: join(dir, 'states'),
      site: localSite,
      clock,
      bus: { put: ({ detail }) => put(detail['status']) },
      logs: { write: () => undefined },
      functions: {
        invoke: () => Promise.reject(new Error('no function here')),
        invokeLater: () => undefined,
      },
    });
  const killed = openStates((status) => {
    announced.push(status);
    return status === 'RUNNING' ? undefined : never;
  });
  const { ref } = await killed.resources['AWS::StepFunctions::StateMachine']!.apply(
    {
      StateMachineName: 'm',
      RoleArn: 'arn:aws:iam::000000000000:role/r',
      DefinitionString: JSON.stringify({
        QueryLanguage: 'JSONata',
        StartAt: 'A',
        States: { A: { Type: 'Fail', Error: 'E' } },
      }),
    },
    { stackName: 's', logicalId: 'm', physicalId: undefined, site: localSite },
  );
  await killed.executions.start(ref, '{}');
  await until(async () => announced.includes('FAILED'));
  const next = openStates((status) => void announced.push(`again ${String(status)}`));
  next.start();
  await until(async () => announced.length > 2);
  expect(announced).toEqual(['RUNNING', 'FAILED', 'again FAILED']);
});
