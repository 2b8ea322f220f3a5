import { describe, expect, it, test } from 'vitest';
import { stepName } from '../../../src/app/progress/run-steps.ts';
import { shownLabel, stateLabel, stateNews } from '../../../src/app/progress/state-news.ts';
import { stateOf } from '../../../web/console/parts/words.ts';
import { readMachine } from '../../support/read-machine.ts';

describe.each(['batch-inference', 'training', 'endpoint'])('the machine %s', (machine) => {
  it('has a label for each state that works or waits', async () => {
    const { States } = await readMachine(machine);
    const taking = Object.keys(States).filter((name) => /^(?:Task|Wait|Map)$/.test(States[name]!.Type));
    expect(taking.length).toBeGreaterThan(10);
    expect(taking.filter((name) => stateLabel(name) === name)).toEqual([]);
  });

  it('has no other states than these and such as take no time, which are never shown', async () => {
    const { States } = await readMachine(machine);
    const passing = Object.keys(States).filter((name) => shownLabel(name) === undefined);
    expect(new Set(passing.map((name) => States[name]!.Type))).toEqual(
      new Set(['Pass', 'Choice', 'Succeed', 'Fail']),
    );
  });
});

it.each(['batch-inference', 'training'])(
  'each step of %s has a name that people read, and words for a run that is in it',
  async (machine) => {
    const { States } = await readMachine(machine);
    const steps = new Set(Object.keys(States).flatMap((state) => stepName(state) ?? []));
    expect(steps.size).toBeGreaterThan(7);
    expect([...steps].filter((name) => !/^[A-Z]/.test(name) || stateOf('running', name)[1] === name)).toEqual(
      [],
    );
  },
);

test('a state that is not known is called by its name, and tells nothing', () => {
  expect(stateLabel('MakeTea')).toBe('MakeTea');
  expect(stateNews('MakeTea', { status: 'frozen' })).toBeUndefined();
});

const SHA = 'ab'.repeat(32);
const RUN = 'digits/monday/000001';

test('a plan tells how the labels are read before anything is paid for', () => {
  const labels = ['from      labels.csv, columns "photo" and "species", 3 rows', 'classes   cat 2 · dog 1'];
  const about = { objects: 3, costQuoteUsd: 0.02, deploy: 'never', labels };
  expect(stateNews('PlanRun', { status: 'predicted', ...about })).toMatchObject({
    kind: 'line',
    details: ['How the labels are read', ...labels],
  });
});

describe('a line that stands', () => {
  it.each([
    ['SettleDrop', { status: 'frozen', objects: 1, bytes: 4_200 }, '1 file, 4.2 kB, frozen into a manifest'],
    [
      'PlanRun',
      {
        status: 'planned',
        jobs: 2,
        engine: 'sagemaker',
        objects: 9,
        costQuoteUsd: 0.5,
        deploy: 'never',
        labels: [],
      },
      '2 transform jobs, quote $0.50 in the cloud',
    ],
    [
      'PlanRun',
      {
        status: 'planned',
        jobs: 1,
        engine: 'sagemaker',
        objects: 9,
        costQuoteUsd: null,
        deploy: 'never',
        labels: [],
      },
      '1 transform job, price unknown',
    ],
    [
      'PlanRun',
      {
        status: 'planned',
        jobs: 1,
        engine: 'lambda',
        objects: 9,
        costQuoteUsd: 0,
        deploy: 'never',
        labels: [],
      },
      '1 Lambda job, quote $0.00 in the cloud',
    ],
    [
      'PlanRun',
      { status: 'predicted', objects: 9, costQuoteUsd: 0.02, deploy: 'never', labels: [] },
      'no transform job, requests quoted at $0.02 in the cloud',
    ],
    ['PrepareModel', { modelName: 'digits-ab' }, 'digits-ab'],
    [
      'PrepareModel',
      { modelName: null },
      'functions cannot run the model: the run is planned again for instances',
    ],
    [
      'StartTransform',
      { status: 'waiting', waitSeconds: 30, poll: 1 },
      'the quota of every instance type is in use: waiting for one',
    ],
    ['CheckTransform', { status: 'ended', jobStatus: 'Failed' }, 'job failed'],
    [
      'ReconcileOutputs',
      { next: 'transform', attempt: 2 },
      'the next job takes the inputs without a prediction: attempt 2',
    ],
    [
      'ReconcileOutputs',
      { next: 'fold', shards: 1, inputs: 2_000, missing: 3, isRound: false },
      '1,997 of 2,000 inputs have a prediction',
    ],
    [
      'ReconcileOutputs',
      { next: 'fold', shards: 1, inputs: 1, missing: 0, isRound: false },
      '1 of 1 input has a prediction',
    ],
    ['FoldPredictions', [], 'predictions counted, rows written'],
    [
      'JudgeRound',
      { next: 'transform', attempt: 2, inputs: 4_000, of: 10_000 },
      'not decided yet: the next round makes it 4,000 of 10,000 inputs',
    ],
    [
      'JudgeRound',
      { next: 'report', verdict: 'passed', inputs: 4_000, of: 10_000 },
      'decided after 4,000 of 10,000 inputs: the gate has passed',
    ],
    [
      'JudgeRound',
      { next: 'report', verdict: 'undecided', inputs: 4_000, of: 10_000 },
      'not decided by 4,000 of 10,000 inputs, and no further round is sent',
    ],
    [
      'WriteReport',
      { status: 'completed', gate: 'passed', report: 'runs/report.json' },
      'completed, gate passed',
    ],
    ['WriteReport', { status: 'completed', gate: 'none', report: 'runs/report.json' }, 'completed'],
    [
      'PlanTraining',
      { status: 'planned', costQuoteUsd: 1, notes: ['stops early', 'a note'] },
      'quote $1.00 in the cloud; stops early; a note',
    ],
    ['PackageSource', { sha256: SHA, bytes: 12 }, 'abababababab, 12 B'],
    [
      'StartTraining',
      { status: 'no-quota', waitSeconds: 30, poll: 1 },
      'the quota of every instance type is in use: waiting for one',
    ],
    ['CheckTraining', { status: 'ended', jobStatus: 'Completed' }, 'job completed'],
    ['RegisterModel', { sha256: SHA, bytes: 1_500_000 }, 'abababababab, 1.5 MB'],
    [
      'EvaluateModel',
      { status: 'evaluated', verdict: 'passed', candidateRun: RUN, deploy: 'never', labels: [] },
      `${RUN}, gate passed`,
    ],
    [
      'EvaluateModel',
      { status: 'evaluated', verdict: 'none', candidateRun: null },
      'no evaluation set judges it',
    ],
    ['PromoteModel', { promotion: 'refused', deploy: 'never', candidateRun: null }, 'refused'],
    ['WriteTrainingReport', { status: 'completed' }, 'completed'],
    ['ReportFailure', { status: 'failed', gate: 'none', report: 'runs/report.json' }, 'failed'],
    ['ReportFailure', { status: 'failed' }, 'failed'],
    ['NotifyFailure', { messageId: null }, 'message sent'],
    [
      'DeployEndpoint',
      { status: 'unchanged', endpointName: 'digits', configName: 'c' },
      'digits serves this model already',
    ],
    [
      'DeployEndpoint',
      {
        status: 'started',
        endpointName: 'digits-c',
        configName: 'c',
        isCandidate: true,
        previousConfigName: 'b',
      },
      'digits-c, to be tested before it takes over',
    ],
    ['CheckEndpoint', { status: 'reached' }, 'in service'],
    ['CheckEndpoint', { status: 'failed', reason: 'no capacity' }, 'no capacity'],
    [
      'TestEndpoint',
      { status: 'agrees', tested: 20, reason: null },
      '20 real-time answers as batch transform gave',
    ],
    ['TestEndpoint', { status: 'disagrees', tested: 20, reason: 'cat is dog' }, 'cat is dog'],
    ['RollBackEndpoint', { status: 'started', endpointName: 'digits', configName: 'b' }, 'digits'],
    ['CheckRollBack', { status: 'reached' }, 'as it was'],
    ['DeleteEndpoint', { status: 'started', endpointName: 'digits' }, 'digits'],
    ['DeleteEndpoint', { status: 'kept' }, 'deployed again meanwhile: kept'],
    ['CheckDeletion', { status: 'reached' }, 'deleted'],
    [
      'FinishEndpoint',
      finished('1 × ml.m5.large', '2026-01-02T03:04:05.000Z'),
      '1 × ml.m5.large, until 2026-01-02 03:04:05 UTC',
    ],
    ['FinishEndpoint', finished('1 × ml.m5.large', null), '1 × ml.m5.large, until it is deleted'],
    ['FinishUntouched', finished(null, null), 'nothing was changed: nothing serves'],
  ])('of %s, of the output %j, is %j', (state, output, text) => {
    const isFailure = ['job failed', 'no capacity', 'cat is dog'].includes(text) && { isFailure: true };
    expect(stateNews(state, output)).toEqual({ kind: 'line', text, ...isFailure });
  });
});

describe('news while it goes on', () => {
  it('is when a drop is looked at again', () => {
    const news = { kind: 'settling', waitSeconds: 20 };
    expect(stateNews('SettleDrop', { status: 'waiting', waitSeconds: 20 })).toEqual(news);
  });

  it('is the progress of a transform', () => {
    const progress = { done: 1, total: 4, approximate: false };
    const output = { status: 'running', waitSeconds: 5, poll: 1, progress };
    expect(stateNews('CheckTransform', output)).toEqual({ kind: 'transform', progress });
    expect(stateNews('CheckTraining', output)).toBeUndefined();
  });

  it('is what a look at a training has seen', () => {
    const seen = { secondaryStatus: 'Training', metrics: { loss: 0.5 }, lastLines: ['epoch 1'] };
    const output = { status: 'running', waitSeconds: 1, poll: 1, ...seen };
    expect(stateNews('CheckTraining', output)).toMatchObject({ kind: 'training', progress: seen });
    expect(stateNews('CheckTransform', output)).toBeUndefined();
  });
});

test.each([
  ['SettleDrop', { status: 'empty', announce: false }],
  ['PlanRun', { status: 'waiting', waitSeconds: 30 }],
  ['StartTransform', { status: 'waiting', waitSeconds: 30, poll: 2 }],
  ['ReconcileOutputs', { next: 'reconcile' }],
  ['CheckEndpoint', { status: 'waiting', endpointStatus: 'Updating', waitSeconds: 5, poll: 1 }],
  ['DeployEndpoint', { status: 'busy', waitSeconds: 5 }],
  // Batch-inference starts the machine of the endpoint by a state of the same name.
  ['DeployEndpoint', { ExecutionArn: 'arn:aws:states:::execution:x', StartDate: 1 }],
  ['WaitForQuiet', {}],
])('%s has nothing to tell of the output %j', (state, output) => {
  expect(stateNews(state, output)).toBeUndefined();
});

function finished(hardware: string | null, expiresAt: string | null) {
  return {
    endpointName: 'digits',
    configName: 'c',
    hardware,
    expiresAt,
    hourlyUsd: 0.1,
    maxHourlyUsd: null,
    deployedBy: null,
    servedHours: null,
    removed: { configs: 0, models: 0 },
    hadChange: true,
  };
}
