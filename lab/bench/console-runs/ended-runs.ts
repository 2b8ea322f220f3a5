import { bucketLayout } from '../../../src/run/bucket-layout.ts';

const BEGAN_MS = Date.UTC(2026, 0, 1);

/** Entries of the index of runs that have ended, a minute after one another in turn of their pipelines: keys and texts. */
export function* endedRuns(pipelines: number, runs: number): Generator<[key: string, text: string]> {
  for (let at = 0; at < pipelines * runs; at += 1) {
    const pipeline = `pipeline-${at % pipelines}`;
    const drop = `drop-${Math.floor(at / pipelines)}`;
    const endedAt = new Date(BEGAN_MS + 60_000 * at);
    const line = {
      ...{ schema: 1, run: `${pipeline}/${drop}/000001`, status: 'completed', endedAt },
      ...{ total: 1_000, correct: 936, accuracy: 0.936, labelled: 1_000, seconds: 61, costUsd: 0.0047 },
      ...{ gate: 'passed', rescoreOf: null, sampleOf: null },
    };
    const parts = { kind: 'inference', pipeline, drop, generation: '000001' } as const;
    yield [bucketLayout.indexEntry(parts, endedAt), JSON.stringify(line)];
  }
}
