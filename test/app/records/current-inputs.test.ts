import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listInputs } from '../../../src/app/records/current-inputs.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const name = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '.', '/', 'é', '\u{1F600}'),
  minLength: 1,
  maxLength: 5,
});

const entriesOf = (keys: readonly string[]) => ({ entries: keys.map((key) => ({ key })) });

test('finds every wanted input that is there, in pages of any size, among files of others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name),
      fc.array(name),
      fc.array(name),
      fc.integer({ min: 1, max: 5 }),
      async (kept, gone, others, pageSize) => {
        const store = memoryObjectStore({ pageSize });
        for (const file of [...kept, ...others]) store.put(`in/${file}`);
        const there = new Set(store.keys('in/'));
        const wanted = [...new Set([...kept, ...gone].map((file) => `in/${file}`))].toSorted(
          compareByteOrder,
        );
        const inputs = await listInputs(store, entriesOf(wanted), 'in/');
        expect([...inputs.keys()].toSorted()).toEqual(wanted.filter((key) => there.has(key)).toSorted());
      },
    ),
  );
});

test('costs a request for each where a few inputs lie among many files', async () => {
  const store = memoryObjectStore();
  for (let index = 0; index < 20_000; index++) store.put(`in/${String(index).padStart(5, '0')}.png`);
  const inputs = await listInputs(store, entriesOf(['in/00010.png', 'in/19000.png']), 'in/');
  expect(inputs.size).toBe(2);
  expect(store.requests.filter(({ key }) => key === 'in/')).toHaveLength(2);
});

test('lists no page of others where a few tars hold many inputs', async () => {
  const store = memoryObjectStore();
  for (let index = 0; index < 2_000; index++) store.put(`in/${String(index).padStart(5, '0')}.tar`);
  let listed = 0;
  const inputs = await listInputs(
    {
      ...store,
      async listPage(...asked) {
        const page = await store.listPage(...asked);
        listed += page.objects.length;
        return page;
      },
    },
    entriesOf(Array.from({ length: 10 }, (_, index) => `in/${String(500 + index).padStart(5, '0')}.tar`)),
    'in/',
  );
  expect(inputs.size).toBe(10);
  expect(listed).toBeLessThanOrEqual(20);
});
