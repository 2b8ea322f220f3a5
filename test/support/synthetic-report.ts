import { evidenceOf } from '../../src/gate/evidence-of.ts';
import { judgeGate } from '../../src/gate/judge-gate.ts';
import { CellExemplars } from '../../src/judging/cell-exemplars.ts';
import { LabelSums } from '../../src/judging/label-sums.ts';
import { Ledger } from '../../src/judging/ledger.ts';
import { type ClassScore, normalizedMargin, suspicion } from '../../src/judging/suspect-label.ts';
import { ClassList } from '../../src/label/class-list.ts';
import { resolvePrediction } from '../../src/label/resolve-prediction.ts';
import { comparisonOf } from '../../src/metric/comparison.ts';
import { countError, countOutcome } from '../../src/metric/count-outcome.ts';
import { type Flip, topFlips } from '../../src/metric/flip.ts';
import { metricsOf } from '../../src/metric/metrics.ts';
import { countPaired, createPairTally } from '../../src/metric/pair-tally.ts';
import { createTally } from '../../src/metric/tally.ts';
import { buildReport, type ReportFrame } from '../../src/report/build-report.ts';
import { reportLedger } from '../../src/report/judged-ledger.ts';
import { reportSlices } from '../../src/report/judged-slices.ts';
import type { Report, ReportFailure } from '../../src/report/report.ts';
import { reportComparison } from '../../src/report/report-comparison.ts';
import { compareSuspects, type SuspectLabel } from '../../src/report/suspect-labels.ts';
import { SliceTally } from '../../src/slice/slice-tally.ts';
import { asAnswered } from './as-answered.ts';
import { normal, random } from './random.ts';

const CIFAR10 = ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'];
const ADJECTIVES = [
  'amber',
  'black',
  'common',
  'dwarf',
  'eastern',
  'great',
  'horned',
  'Indian',
  'jade',
  'king',
];
const NOUNS = ['bittern', 'crane', 'dunlin', 'eagle', 'finch', 'grebe', 'heron', 'ibis', 'jay', 'kite'];

const SITES = ['harbour', 'estuary', 'meadow', 'wood <north>', 'cliff'];
const LIGHTS = ['0-63', '64-127', '128-191', '192-255'];

/** Names for any number of classes. */
function classNames(count: number): string[] {
  if (count === 2) return ['cat', 'dog'];
  if (count === 10) return CIFAR10;
  return Array.from({ length: count }, (_, at) => {
    const round = Math.floor(at / 100);
    const name = `${ADJECTIVES[Math.floor(at / 10) % 10]} ${NOUNS[at % 10]}`;
    return round === 0 ? name : `${name} ${String.fromCharCode(96 + round)}`;
  });
}

/** A finished run of `records` random outcomes whose classes are confused in families that lie apart in the list. */
export function syntheticReport(
  classCount: number,
  records: number,
  changes: Partial<ReportFrame> = {},
): Report {
  const next = random(classCount);
  const chance = random(classCount + 1);
  const classes = new ClassList(classNames(classCount));
  const tally = createTally(classes, 0);
  const ledger = new Ledger();
  const families = Math.max(1, Math.round(classCount / 4));
  const scores = new Float64Array(classCount);
  const pairs = createPairTally('birds/friday/000002');
  const flips: Flip[] = [];
  const exemplars = new CellExemplars(2_000);
  const sums = new LabelSums();
  const place = random(classCount + 2);
  const slices = new SliceTally(['site', 'light'], new Map());
  const mistaken: { mistake: Omit<SuspectLabel, 'margin'>; scores: Float64Array; label: number }[] = [];
  for (let record = 0; record < records; record++) {
    const truth = Math.floor(next() * classCount);
    const hard = 0.9 + (1.3 * ((truth * 7919) % 13)) / 13;
    let sum = 0;
    for (let id = 0; id < classCount; id++) {
      const kin =
        id === truth ? 5.5 + Math.log(classCount / 10) * 0.6 : id % families === truth % families ? 2.6 : 0;
      scores[id] = Math.exp(kin + hard * normal(next));
      sum += scores[id]!;
    }
    for (let id = 0; id < classCount; id++) scores[id]! /= sum;
    tally.inputs++;
    const key = `incoming/birds/monday/${String(record).padStart(6, '0')}-${classes.names[truth]}.png`;
    const now = resolvePrediction({ scores }, classes, asAnswered());
    countOutcome(tally, { key, recordIndex: 0, truth, ...now });
    ledger.addAnswered(truth, truth === now.predicted);
    const name = (id: number) => classes.names[id] ?? '';
    exemplars.add({
      key,
      recordIndex: 0,
      truth: name(truth),
      predicted: name(now.predicted),
      confidence: now.confidence ?? null,
      truthScore: scores[truth] ?? null,
    });
    sums.add(truth, scores[truth]!);
    // Mistakes are more frequent at harbour, and light matters to none; a record in ten has no light.
    const isWrong = now.predicted !== truth;
    const site = SITES[place() < (isWrong ? 0.5 : 0.2) ? 0 : 1 + Math.floor(place() * (SITES.length - 1))];
    const light = place() < 0.1 ? null : (LIGHTS[Math.floor(place() * LIGHTS.length)] ?? null);
    slices.add([site ?? null, light], !isWrong);
    if (isWrong) {
      const names = { truth: name(truth), predicted: name(now.predicted) };
      const probabilities = { confidence: now.confidence ?? null, truthScore: scores[truth]! };
      const mistake = { key, recordIndex: 0, ...names, ...probabilities };
      mistaken.push({ mistake, scores: scores.slice(), label: truth });
    }
    // The run before it was a little worse, and almost always of the same opinion.
    const luck = chance();
    const before = luck < 0.9 ? now.predicted : luck < 0.93 ? truth : (truth + families) % classCount;
    const flip = countPaired(
      pairs,
      { key, recordIndex: 0, truth: name(truth) },
      { prediction: name(before), score: 0.4 + luck / 2 },
      { prediction: name(now.predicted), score: now.score ?? null },
    );
    if (flip !== undefined) flips.push(flip);
    pairs.inputs.paired++;
  }
  const failures: ReportFailure[] = ['model-error', 'model-error', 'empty'].map((reason, at) => ({
    key: `incoming/birds/monday/broken-${at}.png`,
    recordIndex: null,
    reason,
    detail:
      reason === 'empty'
        ? 'the object has 0 bytes'
        : 'HTTP 400: Unable to decode bytes as JPEG, PNG, GIF, or BMP',
  }));
  for (const { reason } of failures) {
    tally.inputs++;
    countError(tally, reason);
    ledger.addUnanswered(0);
  }
  const metrics = metricsOf(tally, [1, 5]);
  const isSuspect = suspicion(sums.thresholds(classCount));
  const suspects = mistaken.flatMap(({ mistake, scores: all, label }): SuspectLabel[] => {
    const best = Array.from(all, (score, index): ClassScore => [index, score]).sort((a, b) => b[1] - a[1]);
    const doubted = { label, labelScore: all[label]!, best };
    return isSuspect(doubted) === true ? [{ ...mistake, margin: normalizedMargin(doubted) }] : [];
  });
  const { labeled, correct } = tally;
  const suspectLabels = {
    labeled,
    correct,
    leftOut: 0,
    mistakes: mistaken.length,
    suspects: suspects.length,
    undecided: 0,
    accuracy: correct / labeled,
    accuracyAtMost: (correct + suspects.length) / labeled,
    first: suspects.sort(compareSuspects).slice(0, 60),
  };
  const result = comparisonOf(pairs);
  const gate = judgeGate(
    { minAccuracy: 0.7, maxErrorRate: 0.02, maxAccuracyDrop: 0.05, minRecall: 0.1, confidence: 0.95 },
    evidenceOf({
      ledger,
      metrics,
      classes: classes.names,
      comparison: { pairs, result },
      first: false,
    }),
  );
  // Two classes stand for a run without a baseline.
  const comparison =
    classCount === 2
      ? null
      : reportComparison(pairs, result, {
          replay: false,
          baselineInputs: records + 7,
          flips: topFlips(flips),
        });
  return buildReport(
    {
      ...frame(failures, classCount === 2),
      comparison,
      gate,
      suspectLabels,
      ledger: reportLedger(ledger, { clusters: null, confidence: 0.95, hidesCopies: false }),
      // Ten classes stand for a pipeline with dimensions.
      slices: classCount === 10 ? reportSlices(['site', 'light'], slices.store()) : null,
      ...changes,
    },
    tally,
    metrics,
    exemplars.list(),
  );
}

const NO_FINDING = { count: 0, examples: [] };

function frame(failures: ReportFailure[], inAws: boolean): ReportFrame {
  return {
    run: 'birds/monday/000001',
    rescoreOf: null,
    previous: { run: 'fashion/sunday/000001', accuracy: 0.8731 },
    sample: null,
    program: 'inferdrop 1.0.0',
    status: 'completed-with-errors',
    createdAt: '2026-11-21T10:07:31.000Z',
    startedAt: '2026-11-21T10:00:04.000Z',
    seconds: 447,
    costUsd: 0.0913,
    gate: { verdict: 'none', explanation: '', isSet: false },
    failure: null,
    problems: [],
    comparison: null,
    labelReading: inAws
      ? null
      : {
          numbers: 'index',
          hasNumbers: true,
          isSet: false,
          from: 'labels.csv, columns "photo" and "species", 2,002 rows',
          examples: [
            { where: 'incoming/birds/monday/a.png', label: '0', class: 'airplane' },
            { where: 'incoming/birds/monday/b.png', label: '2.0', class: 'bird' },
          ],
          counts: [300, 200, 200, 200, 200, 200, 200, 200, 200, 98],
        },
    labelChanges: null,
    suspectLabels: null,
    ledger: null,
    slices: null,
    task: 'classification',
    answers: [],
    isDoubted: false,
    notes: [
      'maxConcurrentTransforms lowered from 64 to 16, so that payload times concurrency stays within 100 MB.',
    ],
    failures,
    labels: {
      inputs: 2_003,
      isWhole: true,
      labeled: 2_000,
      noClass: inAws
        ? NO_FINDING
        : { count: 2, examples: ['"puffin" of incoming/birds/monday/puffin.png', '"Puffin" of x.png'] },
      noInput: NO_FINDING,
      conflicting: inAws
        ? NO_FINDING
        : { count: 1, examples: ['incoming/birds/monday/a.png ("cat", then "dog")'] },
      unlabeled: inAws
        ? NO_FINDING
        : { count: 3, examples: [0, 1, 2].map((at) => `incoming/birds/monday/broken-${at}.png`) },
    },
    setup: {
      modelName: 'inferdrop-birds-0f3c2a7d',
      modelSha256: '9f2c1b7a5d3e4f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8',
      artifact: 's3://models-of-the-team/birds/2026-11-18/model.tar.gz',
      imageUri:
        '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-gpu-py312-cu122-ubuntu22.04-sagemaker',
      // Two classes stand for a run in AWS, whose containers do not say what runs in them.
      runtimes: inAws
        ? []
        : ['onnxruntime 1.30.0, SavedModel converted to ONNX by converter 0123456789abcdef'],
      framework: 'tensorflow',
      frameworkVersion: '2.19.0',
      input: 's3://inferdrop-dev/incoming/birds/monday/',
      transform: {
        contentType: 'application/x-image',
        accept: 'application/json',
        instanceTypes: 'ml.g4dn.xlarge, ml.g5.xlarge',
        instanceCount: 2,
        maxConcurrentTransforms: 16,
        maxPayloadInMB: 6,
        splitType: 'None',
        batchStrategy: 'SingleRecord',
        assembleWith: 'None',
        invocationsTimeoutInSeconds: 600,
        invocationsMaxRetries: 3,
      },
      quoteUsd: 0.11,
    },
    jobs: [
      {
        name: 'inferdrop-birds-monday-4c1d-1',
        status: 'Failed',
        hardware: '2 × ml.g4dn.xlarge',
        objects: 10_003,
        startedAt: '2026-11-21T10:03:41.000Z',
        endedAt: '2026-11-21T10:06:58.000Z',
        costUsd: 0.0806,
        failureReason: 'ClientError: See job logs for more information',
      },
      {
        name: 'inferdrop-birds-monday-4c1d-2',
        status: 'Completed',
        hardware: '1 × ml.g4dn.xlarge',
        objects: 2,
        startedAt: '2026-11-21T10:06:59.000Z',
        endedAt: '2026-11-21T10:07:22.000Z',
        costUsd: 0.0107,
        failureReason: null,
      },
    ],
  };
}
