import { expect, test } from 'vitest';
import * as z from 'zod';
import { jsonDocument } from '../../../src/app/records/document.ts';
import { publishReport } from '../../../src/app/records/publish-report.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';

interface Told {
  readonly status: string;
}
const reportJson = jsonDocument({
  key: () => 'report.json',
  schema: z.object({ status: z.string() }),
  write: 'once',
});
const publish = (store: MemoryObjectStore, status: string) =>
  publishReport<Told>(reportJson(), store, { status }, (report) =>
    ['report.html', 'summary.md'].map((key) => ({ key, body: report.status, contentType: 'text/plain' })),
  );

test.each([0, 1, 2, 3, 4, 5])(
  'a failure reported at moment %i of a report being written leaves one report, and pages of it',
  async (moment) => {
    let moments = 0;
    const store = memoryObjectStore({
      before: async () => {
        if (moments++ === moment) failed = await publish(store, 'failed');
      },
    });
    let failed: Told | undefined;
    const own = await publish(store, 'completed');

    expect(failed).toEqual(own);
    expect(JSON.parse(store.text('report.json')!)).toEqual(own);
    expect([store.text('report.html'), store.text('summary.md')]).toEqual([own.status, own.status]);
  },
);

test('a report that cannot be drawn does not stand: the failure is reported instead', async () => {
  const store = memoryObjectStore();
  const broken = publishReport<Told>(reportJson(), store, { status: 'completed' }, () => {
    throw new Error('too large to draw');
  });
  await expect(broken).rejects.toThrow('too large to draw');
  expect(await publish(store, 'failed')).toEqual({ status: 'failed' });
});
