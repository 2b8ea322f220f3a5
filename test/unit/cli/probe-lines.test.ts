import { expect, test } from 'vitest';
import type { Probed } from '../../../src/app/probe/probe.ts';
import type { TrialEnd } from '../../../src/app/probe/run-trial.ts';
import { cheapest, probeLines } from '../../../src/cli/show/probe-lines.ts';

function trial(type: string, requests: number, inputsPerSecond: number | null): TrialEnd {
  const settings = { instanceTypes: [type], instanceCount: 1, maxConcurrentTransforms: requests };
  return {
    run: `cats/monday/000001p${requests}`,
    settings,
    speed:
      inputsPerSecond === null
        ? null
        : {
            run: `cats/monday/000001p${requests}`,
            at: '2026-11-26T10:00:00.000Z',
            model: 'ab'.repeat(32),
            engine: {
              name: 'sagemaker',
              instanceCount: 1,
              maxConcurrentTransforms: requests,
              maxPayloadInMB: 6,
            },
            bundled: false,
            objects: 1000,
            startSeconds: 118.4,
            startupSeconds: 2,
            workSeconds: 1000 / inputsPerSecond,
            inputsPerSecond,
            costUsd: 0.01,
          },
    failure: inputsPerSecond === null ? 'CUDA out of memory\u001b' : null,
    costUsd: 0.01,
    model: null,
  } as TrialEnd;
}
const cpu = [trial('ml.m5.xlarge', 1, 20), trial('ml.m5.xlarge', 2, 38.46)];
const gpu = [trial('ml.g4dn.xlarge', 1, 100), trial('ml.g4dn.xlarge', 2, null)];
const of = (name: string, trials: TrialEnd[], best: TrialEnd | undefined) =>
  ({ candidate: { name, first: trials[0]!.settings, axes: [] }, trials, best: best ?? null }) as const;
const probed: Probed = {
  candidates: [of('ml.m5.xlarge', cpu, cpu[1]), of('ml.g4dn.xlarge', gpu, gpu[0])],
  spentUsd: 0.04,
  stopped: null,
};
const hourlyUsd = (name: string): number | null => (name === 'ml.m5.xlarge' ? 0.23 : 0.736);

test('the table has a bar for each speed, the settings to use, and why a trial has failed', () => {
  expect(probeLines(probed, hourlyUsd)).toEqual([
    'INSTANCE        REQUESTS  MB       START  STARTUP  WORK      $ A MILLION  INPUTS/S',
    'ml.m5.xlarge           1   6  1 min 58 s      2 s  50 s            $3.19        20  █████',
    'ml.m5.xlarge           2   6  1 min 58 s      2 s  26 s            $1.66      38.5  █████████ ←',
    'ml.g4dn.xlarge         1   6  1 min 58 s      2 s  10 s            $2.04       100  ████████████████████████ ←',
    'ml.g4dn.xlarge         2   –           –        –     –  price not known    failed',
    'ml.g4dn.xlarge, 2 at once, failed: CUDA out of memory\\u{1b}',
  ]);
});

test('the cheapest million of inputs wins, and the fastest where prices are not known', () => {
  expect(cheapest(probed, hourlyUsd)?.candidate.name).toBe('ml.m5.xlarge');
  expect(cheapest(probed, () => null)?.candidate.name).toBe('ml.g4dn.xlarge');
});
