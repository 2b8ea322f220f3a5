import { expect, test } from 'vitest';
import { mergeJob } from '../../../src/pipeline/merge-job.ts';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { problemLine } from '../../../src/problem/problem.ts';

const UNJUDGED = { model: { framework: 'onnx', frameworkVersion: '2.6.0' }, labels: null };
const parsed = (more: object) => parsePipelineConfig(JSON.stringify({ ...UNJUDGED, ...more }));
const refused = (more: object) => parsed(more).problems.map(problemLine);

test('labels of null leave out what judges', () => {
  expect(
    refused({ gate: { maxErrorRate: 0.01, confidence: 0.95 }, report: { slices: [], clusters: null } }),
  ).toEqual([]);
  expect(parsed({})).toMatchObject({ value: { labels: { task: 'none', classes: [], truth: null } } });
});

test.each([
  [
    { gate: { minAccuracy: 0.9 } },
    'gate.minAccuracy judges right answers, and "labels" is null: remove it, or',
  ],
  [{ gate: { minRecall: 0.9 } }, 'gate.minRecall judges right answers, and'],
  [{ gate: { maxErrorRate: 0.1, minLabeled: 0.5 } }, 'gate.minLabeled counts labels, and'],
  [{ report: { topK: [1, 3] } }, 'report.topK ranks classes, and "labels" is null'],
  [
    { report: { slices: [{ from: 'folder', level: 1, name: 'site' }] } },
    'report.slices breaks accuracy down',
  ],
  [{ gate: { maxErrorRate: 0.1, decide: 'early' } }, 'gate.decide stops once enough answers are right'],
  [{ sample: { inputs: 50, by: 'class' } }, 'sample.by draws by label'],
  [
    { gate: { maxErrorRate: 0.1 }, endpoint: { deploy: 'when-gate-passes' } },
    'endpoint.deploy would serve a model that nobody has judged, since "labels" is null: set it to "never"',
  ],
])('%j is refused', (more, message) => {
  const lines = refused(more);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(message);
});

test('a drop may not judge what its pipeline does not', () => {
  const { value } = parsed({}) as { value: Parameters<typeof mergeJob>[0] };
  const { problems } = mergeJob(value, { labels: { classes: ['a', 'b'] }, gate: { minAccuracy: 0.1 } });
  expect(problems.map(({ file, field }) => [file, field])).toEqual([
    ['job.json', 'gate.minAccuracy'],
    ['job.json', 'labels'],
  ]);
  expect(mergeJob(value, { gate: { maxErrorRate: 0.1 } }).problems).toEqual([]);
});

test('a wrong field elsewhere leaves labels at null', () => {
  const found = parsed({ transform: { maxPayloadInMB: 500 } });
  expect(found).toMatchObject({ repaired: { labels: { task: 'none' } } });
});
