import { beforeAll, expect, test } from 'vitest';
import { installEngine } from '@inferdrop/model-container/internal/engine-environment';
import { runExample } from './example-run.ts';
import { expectPromoted } from './expect-promoted.ts';

beforeAll(() => installEngine('pytorch', () => undefined));

test('two hosts train one PyTorch model over Gloo; it is judged, promoted, and predicts', async () => {
  const run = await runExample('pytorch');
  expectPromoted(run);
  expect(run.said('algo-1')).toContain('host 1 of 2 over gloo, 800 images');
  expect(run.said('algo-2')).toContain('host 2 of 2 over gloo, 800 images');
  const [weights] = /weights \S+/.exec(run.said('algo-1')) ?? ['no weights'];
  expect(run.said('algo-2')).toContain(weights);
  for (const { hosts } of run.report.metrics)
    expect(hosts.map(({ host, count }) => [host, count])).toEqual([
      ['algo-1', 20],
      ['algo-2', 20],
    ]);
});
