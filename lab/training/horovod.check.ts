import { beforeAll, expect, test } from 'vitest';
import { installEngine, requireBuildTools } from '@inferdrop/model-container/internal/engine-environment';
import { runExample } from './example-run.ts';
import { expectPromoted } from './expect-promoted.ts';

/** Whether Horovod can be built on this machine; what is lacking is said by the training container's own check. */
const canBuild = await requireBuildTools('tensorflow-horovod').then(
  () => true,
  () => false,
);

beforeAll(async () => {
  if (canBuild) await installEngine('tensorflow-horovod', () => undefined);
});

test.skipIf(!canBuild)(
  'ranks of Horovod on two hosts train one model; it is judged, promoted, and predicts',
  async () => {
    const run = await runExample('horovod');
    expectPromoted(run);
    const lines = run.said('algo-1');
    expect(lines.match(/rank \d of \d on \S+/g)?.toSorted()).toEqual([
      'rank 0 of 2 on algo-1',
      'rank 1 of 2 on algo-2',
    ]);
    const weights = lines.match(/weights \S+/g) ?? [];
    expect(weights).toHaveLength(2);
    expect(new Set(weights).size).toBe(1);
  },
);
