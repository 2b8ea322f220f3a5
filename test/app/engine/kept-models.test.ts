import { expect, test } from 'vitest';
import { keepModels } from '../../../src/app/engine/lambda/kept-models.ts';

/** Models of given weights, and what was opened and closed. */
function world(maxBytes: number) {
  const log: string[] = [];
  const keep = keepModels<{ readonly name: string; close(): Promise<void> }>(maxBytes);
  const ask = (name: string, bytes = 1, opens: Promise<unknown> = Promise.resolve()) =>
    keep(
      name,
      async () => bytes,
      async () => {
        await opens;
        log.push(`open ${name}`);
        return { name, close: async () => void log.push(`close ${name}`) };
      },
    );
  return { log, ask };
}

test('models of several pipelines stay open together while there is memory', async () => {
  const { log, ask } = world(3);
  for (const name of ['a', 'b', 'a', 'c', 'b']) expect((await ask(name)).name).toBe(name);
  expect(log).toEqual(['open a', 'open b', 'open c']);
});

test('the one that was asked for longest ago goes first, and as many as a large one needs', async () => {
  const { log, ask } = world(3);
  for (const name of ['a', 'b', 'c', 'a']) await ask(name);
  await ask('d');
  expect(log.slice(3)).toEqual(['close b', 'open d']);
  await ask('large', 5);
  expect(log.slice(5)).toEqual(['close c', 'close a', 'close d', 'open large']);
  expect((await ask('large')).name).toBe('large');
  expect(log).toHaveLength(9);
});

test('without memory for more, the last one is kept', async () => {
  const { log, ask } = world(0);
  for (const name of ['a', 'a', 'b', 'a']) await ask(name);
  expect(log).toEqual(['open a', 'close a', 'open b', 'close b', 'open a']);
});

test('one that is still being opened is waited for, by its own requests and by the next model', async () => {
  const { log, ask } = world(1);
  const gate = Promise.withResolvers<void>();
  const first = ask('a', 1, gate.promise);
  const again = ask('a');
  const next = ask('b');
  gate.resolve();
  expect((await first) === (await again)).toBe(true);
  await next;
  expect(log).toEqual(['open a', 'close a', 'open b']);
});

test('one that cannot be opened is tried again, and keeps no other from being opened', async () => {
  const { log, ask } = world(2);
  const broken = ask('a', 1, Promise.reject(new Error('broken')));
  const other = ask('b');
  await expect(broken).rejects.toThrow('broken');
  await other;
  expect((await ask('a')).name).toBe('a');
  expect(log).toEqual(['open b', 'open a']);
});

test('memory that a model turns out to take counts, and one that cannot be closed keeps no other from being opened', async () => {
  const closed: string[] = [];
  const keep = keepModels<{ readonly bytes: number; close(): Promise<void> }>(3);
  const ask = (name: string, bytes: number) =>
    keep(
      name,
      async () => 1,
      async () => ({
        bytes,
        async close() {
          closed.push(name);
          throw new Error(`${name} has died`);
        },
      }),
    );
  await ask('a', 3);
  await ask('b', 1);
  expect(closed).toEqual(['a']);
});

test('where there is no room for one, it is opened without the others, and fails only alone', async () => {
  const keep = keepModels<{ close(): Promise<void> }>(9, (error) => error instanceof RangeError);
  const open = new Set<string>();
  const ask = (name: string, isSmall: boolean) =>
    keep(
      name,
      async () => 1,
      async () => {
        if (!isSmall && open.size > 0) throw new RangeError('no room');
        open.add(name);
        return { close: async () => void open.delete(name) };
      },
    );
  await ask('a', true);
  await ask('b', true);
  await ask('large', false);
  expect([...open]).toEqual(['large']);
  open.add('what is not a model');
  await expect(ask('larger', false)).rejects.toThrow('no room');
});
