import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';

let stack: LocalMessaging;
beforeAll(async () => void (stack = await localMessaging()));
afterAll(() => stack.close());

const CODE = `export const handler = async () => {
  console.log('hello', { a: 1 });
  console.debug('quiet');
  console.error(new TypeError('bad'));
  console.log({ only: 'object' });
  process.stdout.write('{"own":"line"}\\n');
}`;

async function run(
  name: string,
  properties: Record<string, unknown>,
): Promise<{ lines: readonly string[]; requestId: string }> {
  await stack.makeFunction(name, CODE, properties);
  const { requestId } = await stack.lambda.functions.invoke(name, Buffer.from('{}'));
  return { lines: stack.lines(`/aws/lambda/${name}`), requestId };
}

test('JSON format: one object a line, with level and request id; platform lines around them', async () => {
  const { lines, requestId } = await run('json', { LoggingConfig: { LogFormat: 'JSON' } });
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: timestamp, type: 'platform.start', record: { requestId, version: '$LATEST' } },
    { timestamp, level: 'INFO', requestId, message: 'hello { a: 1 }' },
    {
      timestamp,
      level: 'ERROR',
      requestId,
      message: expect.stringContaining('TypeError: bad'),
      errorType: 'TypeError',
      errorMessage: 'bad',
      stackTrace: expect.arrayContaining(['TypeError: bad']),
    },
    { timestamp, level: 'INFO', requestId, message: { only: 'object' } },
    { own: 'line' },
    {
      time: timestamp,
      type: 'platform.report',
      record: {
        requestId,
        status: 'success',
        metrics: {
          durationMs: expect.any(Number),
          billedDurationMs: expect.any(Number),
          initDurationMs: expect.any(Number),
          memorySizeMB: 128,
          maxMemoryUsedMB: expect.any(Number),
        },
      },
    },
  ]);
});

test('levels below the application log level are dropped, and platform lines at system level WARN', async () => {
  const { lines } = await run('quiet', {
    LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: 'ERROR', SystemLogLevel: 'WARN' },
  });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'ERROR' }, { own: 'line' }]);
});

test('text format: tabs, and START, END and REPORT', async () => {
  const { lines, requestId } = await run('text', {});
  expect(lines[0]).toBe(`START RequestId: ${requestId} Version: $LATEST`);
  expect(lines[1]).toMatch(new RegExp(`^[\\d-]+T[\\d:.]+Z\t${requestId}\tINFO\thello \\{ a: 1 \\}$`));
  expect(lines.at(-2)).toBe(`END RequestId: ${requestId}`);
  expect(lines.at(-1)).toMatch(
    /^REPORT RequestId: .*\tDuration: .* ms\tBilled Duration: .*\tMemory Size: 128 MB\tMax Memory/,
  );
});

test('a log group of another name is used', async () => {
  await stack.makeFunction('elsewhere', CODE, { LoggingConfig: { LogGroup: '/own/group' } });
  await stack.lambda.functions.invoke('elsewhere', Buffer.from('{}'));
  expect(stack.lines('/own/group')).not.toEqual([]);
});
