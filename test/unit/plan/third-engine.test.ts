import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrialEnd } from '../../../src/app/probe/run-trial.ts';
import { probeLines } from '../../../src/cli/show/probe-lines.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { chooseEngine } from '../../../src/plan/decide/decide.ts';
import { onEngine } from '../../../src/plan/engine/engine-config.ts';
import { PLANNING, planningOf } from '../../../src/plan/engine/engine-of.ts';
import { judgeConfiguration } from '../../../src/plan/judge/judge-configuration.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { quoteRest } from '../../../src/plan/quote/quote-rest.ts';
import { forRescore } from '../../../src/plan/rescored.ts';
import { problemLine } from '../../../src/problem/problem.ts';
import { ENGINE_RULES, engineRules } from '../../../src/transform/engine-rules.ts';
import type { EngineName } from '../../../src/transform/engine-settings.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';
import { planWith } from '../../support/report-run.ts';
import * as planning from '../../support/third-engine/planning.ts';
import * as rules from '../../support/third-engine/rules.ts';

// A made-up engine: one folder, and a line in each registry. test/flow/another-engine.test.ts runs an engine's effects.
const NAME = 'fleet' as EngineName;
const LINES = [
  [ENGINE_RULES, rules.fleet],
  [PLANNING, planning.fleet],
] as const;
beforeAll(() => {
  for (const [registry, line] of LINES) Object.assign(registry, { [NAME]: line });
});
afterAll(() => {
  for (const [registry] of LINES) Reflect.deleteProperty(registry, NAME);
});

const judge = (settings: object = {}) =>
  judgeConfiguration(
    {
      config: onEngine(PipelineConfig.parse({ ...PIPELINE, ...settings }), NAME),
      classesText: undefined,
      labelsFile: 'pipeline.json',
      sampleFile: 'pipeline.json',
      prices: undefined,
      speeds: [],
      judgedByDrop: [],
      judging: null,
      problems: [],
    },
    'us-east-1',
  );

test('it judges its own settings', () => {
  expect(judge().further).toEqual([]);
  expect(judge({ transform: { instanceCount: 2 } }).further.map(problemLine)).toEqual([
    expect.stringContaining('transform.instanceCount is the fleet’s'),
  ]);
  expect(planningOf(NAME).archiveProblems(['has trees'])).toEqual([
    { message: 'has trees, or take the fleet away' },
  ]);
});

test('a trial of it shows its payload', () => {
  const speed = { engine: { name: NAME }, inputsPerSecond: 2 } as unknown as TrialEnd['speed'];
  const trial: TrialEnd = {
    run: 'cats/monday/000001',
    speed,
    failure: null,
    costUsd: null,
    model: null,
    settings: { instanceTypes: ['host'], maxConcurrentTransforms: 1 },
  };
  const candidate = { name: 'host', first: trial.settings, axes: [] };
  const probed = { candidates: [{ candidate, trials: [trial], best: null }], spentUsd: 0, stopped: null };
  expect(probeLines(probed, () => null)[1]).toMatch(/^host +1 +16 /);
});

test('its work is quoted, and offered next to the others', () => {
  const sample = { of: 3_610, inputs: 10 } as Parameters<typeof quoteRest>[1]['sample'];
  const frozen = { bytes: 3_610, largestObjectBytes: 1 };
  expect(quoteRest(judge(), { sample, frozen, sampleBytes: 10 })).toBeCloseTo(0.1);
  const offer = { problems: [], seconds: 60, usd: 2, isMeasured: true };
  const { name, note } = chooseEngine(
    [
      { ...offer, name: 'sagemaker' },
      { ...offer, name: 'lambda' },
      { ...offer, name: NAME, usd: 1 },
    ],
    PipelineConfig.parse(PIPELINE).limits,
  );
  expect([name, note]).toEqual([NAME, expect.stringContaining('fleet is taken, which is cheaper')]);
});

test('its run is scored again by its own settings, whatever pipeline.json says now', () => {
  const plan = {
    ...planWith(),
    engine: { name: NAME },
    sample: null,
    rounds: null,
  } as unknown as Plan;
  const { config } = forRescore(judge({ transform: { instanceCount: 2 } }), plan);
  expect(config?.transform).toMatchObject({ engine: NAME, instanceCount: 1 });
  expect(engineRules(plan.engine).requestSeconds(plan.engine)).toBe(60);
});

test('its hardware and its logs are named', () => {
  const job = { name: NAME } as Parameters<typeof engineRules>[0];
  expect(engineRules(job).hardware(planningOf(NAME).jobSettings(judge().config, 1, []).settings)).toBe(
    '3 hosts of a fleet',
  );
  expect(engineRules(job).logPlace({ jobName: 'one' })).toBe('Its log is on the hosts');
});
