import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { until } from '../support/until.ts';

let stack: LocalMessaging;
beforeEach(async () => void (stack = await localMessaging({ maxInstances: 1 })));
afterEach(() => stack.close());

async function call(name: string, event: unknown = {}): Promise<unknown> {
  const { payload } = await stack.lambda.functions.invoke(name, Buffer.from(JSON.stringify(event)));
  return JSON.parse(payload.toString());
}

test('an invocation that runs while new code comes still gets the answer of the old', async () => {
  const waits = (answer: string) =>
    `import { existsSync } from 'node:fs';
     export const handler = async ({ gate }) => {
       process.stdout.write('begun');
       while (gate && !existsSync(gate)) await new Promise((resolve) => setImmediate(resolve));
       return '${answer}';
     };`;
  await stack.makeFunction('f', waits('old'), { Timeout: 60 });
  const gate = join(stack.dir, 'lambda', 'functions.json.next');
  const running = call('f', { gate: `${gate}.open` });
  const waiting = call('f');
  await until(() => stack.lines('/aws/lambda/f').includes('begun'));
  await stack.makeFunction('f', waits('new'), { Timeout: 60 });
  expect(await call('f')).toBe('new');
  await (await import('node:fs/promises')).writeFile(`${gate}.open`, '');
  expect(await Promise.all([running, waiting])).toEqual(['old', 'old']);
});

test('an instance that died of a late error is not used again', async () => {
  await stack.makeFunction(
    'late',
    `export const handler = async ({ fail }) => {
       if (fail) setImmediate(() => { throw new Error('late') });
       return process.pid;
     };`,
  );
  const dead = await call('late', { fail: true });
  await until(async () => typeof (await call('late')) === 'number');
  const alive = await call('late');
  expect(alive).toBeTypeOf('number');
  expect(alive).not.toBe(dead);
});

test('what waits when the stack stops is refused, and the stack stops', async () => {
  await stack.makeFunction(
    'busy',
    `export const handler = async () => { process.stdout.write('begun'); for (;;); }`,
    {
      Timeout: 60,
    },
  );
  const first = call('busy');
  const second = expect(call('busy')).rejects.toMatchObject({ name: 'ServiceUnavailableException' });
  await stack.lambda.functions.invokeLater('busy', Buffer.from('{}'));
  await until(() => stack.lines('/aws/lambda/busy').includes('begun'));
  await stack.close();
  await second;
  expect(await first).toMatchObject({ errorType: 'Runtime.ExitError' });
});

test('code that no function uses any more is removed at the next start', async () => {
  await stack.makeFunction('f', 'export const handler = () => 1');
  await stack.makeFunction('f', 'export const handler = () => 2');
  await call('f');
  await stack.close();
  const again = await localMessaging({ dir: stack.dir });
  try {
    const kept = (await readdir(join(stack.dir, 'lambda', 'code'))).filter((name) => !name.includes('.'));
    expect(kept).toHaveLength(1);
    expect((await again.lambda.functions.invoke('f', Buffer.from('{}'))).payload.toString()).toBe('2');
  } finally {
    await again.close();
  }
});
