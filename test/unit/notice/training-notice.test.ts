import { expect, test } from 'vitest';
import { toTrainingNotice } from '../../../src/notice/training-notice.ts';
import type { TrainingReport } from '../../../src/report/training/training-report.ts';

const RUN = 'training/birds/monday/000001';
const COMPLETED = {
  run: RUN,
  status: 'completed',
  seconds: 61,
  costUsd: 0.5,
  quoteUsd: null,
  failure: null,
  problems: [],
  notes: [],
  jobs: [
    { instanceType: 'ml.old', instanceCount: 1 },
    { instanceType: 'ml.g5.xlarge', instanceCount: 2 },
  ],
  metrics: [
    { name: 'loss', final: 0.125, hosts: [] },
    { name: 'never', final: null, hosts: [] },
  ],
  logEnd: [],
  evaluation: null,
  promotion: null,
  lineage: { data: { objects: 1_234 } },
} as unknown as TrainingReport;
const JUDGED = {
  run: 'birds/monday/000002',
  accuracy: 0.8765,
  inputs: 1,
  costUsd: 0.25,
  against: null,
  trainedOn: { count: 0, first: [], compared: 0 },
  nearDuplicates: null,
  weakest: [],
  suspectLabels: 0,
} as unknown as NonNullable<TrainingReport['evaluation']>;

const noticeOf = (changes: Partial<TrainingReport> | undefined, status = changes?.status ?? 'completed') =>
  toTrainingNotice({
    run: RUN,
    bucket: 'inferdrop-dev',
    status,
    report: changes && { ...COMPLETED, ...changes },
  });
const FILES = 'Files      s3://inferdrop-dev/runs/training/birds/monday/000001/';

test('a training says what it took and what it measured', () => {
  const { subject, body, attributes } = noticeOf({});
  expect(subject).toBe(`inferdrop: ${RUN} completed`);
  expect(attributes).toEqual({ pipeline: 'birds', status: 'completed', run: RUN });
  expect(body.split('\n')).toEqual([
    `Training ${RUN}: completed`,
    '',
    'Files      1,234',
    'Hosts      2 × ml.g5.xlarge',
    'Cost       $0.50 (for training)',
    expect.stringMatching(/^Time {7}1 min/),
    'Metric     loss 0.125',
    '',
    `Report     s3://inferdrop-dev/runs/training/birds/monday/000001/report.html`,
    FILES,
    `Command    inferdrop report ${RUN}`,
    '',
  ]);
});

test.each<[Partial<TrainingReport>, readonly string[], readonly string[]]>([
  [{ jobs: [] }, ['Files      1,234'], ['Hosts']],
  [
    { evaluation: JUDGED },
    [
      'Cost       $0.50 (for training)',
      'Accuracy   87.6% (on 1 input, judged by birds/monday/000002 for $0.25)',
    ],
    ['Against', 'Trained on', 'Look-alike'],
  ],
  [{ evaluation: { ...JUDGED, accuracy: null } }, ['Accuracy   not known (on 1 input'], []],
  [
    {
      evaluation: {
        ...JUDGED,
        against: {
          run: 'birds/old/000001',
          lost: 1_000,
          gained: 20,
          accuracyBefore: null,
          accuracyNow: null,
          pValue: null,
        } as never,
        trainedOn: { count: 3, first: [], compared: 9 },
        nearDuplicates: { count: 2, first: [], judged: 9, trained: 99, isUnclear: false },
      },
    },
    [
      'Against    birds/old/000001 (1,000 lost, 20 gained)',
      'Trained on 3 inputs of the evaluation (the gate does not count them)',
      'Look-alike 2 inputs of the evaluation (like one that was trained on; the gate does not count them)',
    ],
    [],
  ],
  [
    {
      status: 'failed',
      failure: { error: 'TrainingFailed', cause: 'exit code 1', nextStep: 'Read the log.' },
      logEnd: [{ host: 'algo-1', lines: ['one', 'two', 'three', 'four'] }],
    },
    [
      'Reason     TrainingFailed: exit code 1',
      'Next step  Read the log.',
      'The end of its log is in the report.',
    ],
    ['one', 'two', 'four'].map((text) => `algo-1: ${text}`),
  ],
  [{ status: 'empty' }, ['The drop had no file to train on when it became quiet.'], []],
  [{ notes: ['a note'] }, ['Notes\n- a note'], []],
])('%j is said', (changes, words, unsaid) => {
  const { body } = noticeOf(changes);
  for (const word of words) expect(body).toContain(word);
  for (const word of unsaid) expect(body).not.toContain(word);
});

test.each([
  ['promoted', ', model promoted', 'Promoted: it is the model of the pipeline now. why', false],
  ['refused', ', model not promoted', 'Not promoted. why', false],
  ['asked', ', model waits for you', 'A person decides whether', true],
  ['never', '', 'It does not become the model of the pipeline. why', false],
] as const)('a model that is %s is named in the subject%s', (promotion, tail, words, isAsked) => {
  const { subject, body, attributes } = noticeOf({ promotion: { promotion, reason: 'why', by: 'gate' } });
  expect(subject).toBe(`inferdrop: ${RUN} completed${tail}`);
  expect(attributes).toMatchObject({ promotion });
  expect(body).toContain(`Model      ${words}`);
  expect(body.includes(`Promote    inferdrop promote ${RUN}`)).toBe(isAsked);
});

test('a training without a report has its files', () => {
  const { subject, body, attributes } = noticeOf(undefined, 'failed');
  expect([subject, attributes]).toEqual([
    `inferdrop: ${RUN} failed`,
    { pipeline: 'birds', status: 'failed', run: RUN },
  ]);
  expect(body).toContain('The report could not be written.\nNext step  ');
  expect(body).toContain(FILES);
  expect(body).not.toContain('report.html');
});
