import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  DescribeLogStreamsCommand,
  FilterLogEventsCommand,
  GetLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';

const logGroupName = '/aws/lambda/reader';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
let logs: CloudWatchLogsClient;

beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
  logs = new CloudWatchLogsClient(stack.client);
});
afterEach(() => stack.close());

async function write(...lines: (readonly [stream: string, message: string])[]): Promise<void> {
  for (const [stream, message] of lines) {
    stack.logs.logs.write(logGroupName, stream, message);
    await clock.advance(1000);
  }
}

test('an empty line is no event: AWS takes no message without a character', async () => {
  await write(['a', '1'], ['a', ''], ['a', '2']);
  const { events } = await logs.send(new FilterLogEventsCommand({ logGroupName }));
  expect(events?.map(({ message }) => message)).toEqual(['1', '2']);
});

test('groups and streams are described, streams by their last event if asked', async () => {
  await write(['b', '1'], ['a', '2'], ['b', '3']);
  const { logGroups } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: '/aws/lambda' }));
  expect(logGroups).toMatchObject([
    {
      logGroupName,
      arn: 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/lambda/reader:*',
      storedBytes: 3,
    },
  ]);
  const byName = await logs.send(new DescribeLogStreamsCommand({ logGroupName }));
  expect(byName.logStreams?.map(({ logStreamName }) => logStreamName)).toEqual(['a', 'b']);
  const byTime = await logs.send(
    new DescribeLogStreamsCommand({ logGroupName, orderBy: 'LastEventTime', descending: true }),
  );
  expect(byTime.logStreams).toMatchObject([
    {
      logStreamName: 'b',
      firstEventTimestamp: Date.UTC(2026, 0, 1),
      lastEventTimestamp: Date.UTC(2026, 0, 1) + 2000,
    },
    { logStreamName: 'a' },
  ]);
});

test('events of a stream come in pages, until the token repeats itself', async () => {
  await write(['s', '1'], ['other', 'x'], ['s', '2'], ['s', '3']);
  const read = async (nextToken?: string) => {
    const { events, nextForwardToken } = await logs.send(
      new GetLogEventsCommand({ logGroupName, logStreamName: 's', startFromHead: true, limit: 2, nextToken }),
    );
    return { messages: events!.map(({ message }) => message), nextForwardToken };
  };
  const first = await read();
  const second = await read(first.nextForwardToken);
  const third = await read(second.nextForwardToken);
  expect([first, second, third].map(({ messages }) => messages)).toEqual([['1', '2'], ['3'], []]);
  expect(third.nextForwardToken).toBe(second.nextForwardToken);
});

test('without startFromHead the newest page comes, and the backward token goes before it', async () => {
  await write(['s', '1'], ['s', '2'], ['s', '3']);
  const page = await logs.send(new GetLogEventsCommand({ logGroupName, logStreamName: 's', limit: 2 }));
  expect(page.events?.map(({ message }) => message)).toEqual(['2', '3']);
  const before = await logs.send(
    new GetLogEventsCommand({
      logGroupName,
      logStreamName: 's',
      limit: 2,
      nextToken: page.nextBackwardToken,
    }),
  );
  expect(before.events?.map(({ message }) => message)).toEqual(['1']);
});

test.each([
  ['', ['ERROR one', 'INFO two', '{"level":"ERROR","n":3}']],
  ['ERROR', ['ERROR one', '{"level":"ERROR","n":3}']],
  ['ERROR -one', ['{"level":"ERROR","n":3}']],
  ['?one ?two', ['ERROR one', 'INFO two']],
  ['"R one"', ['ERROR one']],
  ['{ $.level = "ERROR" }', ['{"level":"ERROR","n":3}']],
  ['{ $.level = "ERROR" && $.n = 3 }', ['{"level":"ERROR","n":3}']],
  ['{ $.level = "ERROR" && $.n = "3" }', []],
  ['{ $.in.level = "ERROR" }', []],
])('the filter pattern %s', async (filterPattern, expected) => {
  await write(['a', 'ERROR one'], ['b', 'INFO two'], ['a', '{"level":"ERROR","n":3}']);
  const { events } = await logs.send(new FilterLogEventsCommand({ logGroupName, filterPattern }));
  expect(events?.map(({ message }) => message)).toEqual(expected);
});

test('a selector that is not emulated is refused', async () => {
  await write(['a', '{"n":3}']);
  for (const filterPattern of ['{ $.n > 3 }', '{ $.level = "ERR*" }', '{ $.n = 1 || $.n = 2 }'])
    await expect(
      logs.send(new FilterLogEventsCommand({ logGroupName, filterPattern })),
    ).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining('joined by &&'),
    });
});

test('filtered events come in pages, by time and stream', async () => {
  await write(['a', '1'], ['b', '2'], ['a', '3'], ['a', '4']);
  const startTime = Date.UTC(2026, 0, 1) + 1000;
  const first = await logs.send(new FilterLogEventsCommand({ logGroupName, startTime, limit: 2 }));
  expect(first.events?.map(({ message }) => message)).toEqual(['2', '3']);
  const rest = await logs.send(
    new FilterLogEventsCommand({ logGroupName, startTime, nextToken: first.nextToken }),
  );
  expect(rest.events?.map(({ message }) => message)).toEqual(['4']);
  const ofB = await logs.send(new FilterLogEventsCommand({ logGroupName, logStreamNames: ['b'] }));
  expect(ofB.events).toMatchObject([{ logStreamName: 'b', message: '2', eventId: expect.any(String) }]);
});

test('a group that is not there is ResourceNotFoundException', async () => {
  await expect(logs.send(new FilterLogEventsCommand({ logGroupName: '/none' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('a restart keeps events, and drops those past the retention', async () => {
  await stack.make('AWS::Logs::LogGroup', { LogGroupName: logGroupName, RetentionInDays: 1 });
  await write(['s', 'old']);
  await clock.advance(86_400_000);
  await write(['s', 'new']);
  await stack.close();
  const again = await localMessaging({ clock, dir: stack.dir });
  try {
    const { events } = await new CloudWatchLogsClient(again.client).send(
      new FilterLogEventsCommand({ logGroupName }),
    );
    expect(events?.map(({ message }) => message)).toEqual(['new']);
  } finally {
    await again.close();
  }
});
