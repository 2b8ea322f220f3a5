import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runScenario, type Scenario, type Wrong } from './drop-model.ts';
import { type Bounds, chooseFrom, exploreAll } from './scheduler.ts';

/** `MODEL=deep` searches further, for minutes: after a change of the algorithm, and weekly in the laboratory `cases`. */
const isDeep = process.env.MODEL === 'deep';

/** The first run that goes wrong, if one does. */
async function search(scenario: Scenario, bounds: Bounds): Promise<{ runs: number; problem?: string }> {
  let problem: string | undefined;
  const runs = await exploreAll(bounds, async (choose) => {
    if (problem !== undefined) return;
    const { problems, trace } = await runScenario(scenario, choose);
    if (problems.length > 0) problem = [...problems, ...trace.map((line) => `  ${line}`)].join('\n');
  });
  return { runs, ...(problem !== undefined && { problem }) };
}

const check = async (scenario: Scenario, bounds: Bounds, fewest: number): Promise<void> => {
  const deep = { crashes: bounds.crashes, switches: bounds.switches + (isDeep ? 1 : 0) };
  const { runs, problem } = await search(scenario, deep);
  expect(problem).toBeUndefined();
  // A search that finds nothing to try would find nothing wrong either.
  expect(runs).toBeGreaterThanOrEqual(fewest);
};

describe('the newest version of each file is in exactly one manifest, whatever the order', () => {
  it.each<[string, Scenario, Bounds, number]>([
    ['of events that come twice', { uploads: ['a', 'b'], deliveries: 2 }, { switches: 1, crashes: 0 }, 100],
    ['of overwrites', { uploads: ['a', 'b', 'a'] }, { switches: 1, crashes: 0 }, 80],
    ['of events that come hours late', { uploads: ['a', 'b'], ticks: 2 }, { switches: 1, crashes: 0 }, 40],
    [
      'of clocks that differ',
      { uploads: ['a', 'b'], ticks: 1, skewMinutes: 14 },
      { switches: 1, crashes: 0 },
      40,
    ],
    [
      'of uploads and the daily sweep',
      { uploads: ['a', 'b'], sweeps: true },
      { switches: 1, crashes: 0 },
      25,
    ],
    [
      'of an invocation and its zombie',
      { uploads: ['a', 'b'], zombies: true },
      { switches: 1, crashes: 0 },
      60,
    ],
    [
      'of a listing in many pieces',
      { uploads: ['a', 'b'], piecemeal: true },
      { switches: 1, crashes: 0 },
      30,
    ],
  ])('%s', (_what, ...searched) => check(...searched), 900_000);
});

describe('and wherever processes die', () => {
  it.each<[string, Scenario, Bounds, number]>([
    ['while events come twice', { uploads: ['a', 'b'], deliveries: 2 }, { switches: 0, crashes: 1 }, 200],
    ['while files are overwritten', { uploads: ['a', 'b', 'a'] }, { switches: 0, crashes: 1 }, 150],
    ['while the sweep is at work', { uploads: ['a'], sweeps: true }, { switches: 1, crashes: 1 }, 200],
    ['beside a zombie', { uploads: ['a', 'b'], zombies: true }, { switches: 0, crashes: 1 }, 100],
    [
      'in the middle of a listing',
      { uploads: ['a', 'b'], piecemeal: true },
      { switches: 0, crashes: 1 },
      100,
    ],
    ['and others go on meanwhile', { uploads: ['a'] }, { switches: 1, crashes: 1 }, 150],
  ])('%s', (_what, ...searched) => check(...searched), 900_000);
});

it.runIf(isDeep)(
  'and wherever two of them die',
  () => check({ uploads: ['a', 'b'] }, { switches: 0, crashes: 2 }, 2000),
  900_000,
);

it('and in any mixture of all of it', async () => {
  const mixture = fc.record({
    scenario: fc.record({
      uploads: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }),
      deliveries: fc.integer({ min: 1, max: 2 }),
      ticks: fc.integer({ min: 0, max: 3 }),
      zombies: fc.boolean(),
      piecemeal: fc.boolean(),
      sweeps: fc.boolean(),
      skewMinutes: fc.constantFrom(0, 14),
    }),
    numbers: fc.array(fc.nat({ max: 60 }), { maxLength: 300 }),
    crashes: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(mixture, async ({ scenario, numbers, crashes }) => {
      const { problems, trace } = await runScenario(scenario, chooseFrom(numbers, crashes));
      expect(problems, trace.join('\n')).toEqual([]);
    }),
    { numRuns: isDeep ? 20_000 : 300, ...(!isDeep && { seed: 20260301 }) },
  );
}, 900_000);

describe('the check sees a mistake:', () => {
  it.each<[Wrong, Scenario, Bounds]>([
    ['list before the marker', { uploads: ['a', 'b'] }, { switches: 1, crashes: 0 }],
    ['the marker is not awaited', { uploads: ['a', 'b'] }, { switches: 2, crashes: 0 }],
    [
      'an event has the LastModified of its object',
      { uploads: ['a', 'b'], ticks: 1 },
      { switches: 2, crashes: 0 },
    ],
    ['frozen.json can be overwritten', { uploads: ['a', 'b'], zombies: true }, { switches: 1, crashes: 1 }],
    ['no step opens the generation after a dead one', { uploads: ['a'] }, { switches: 0, crashes: 1 }],
  ])(
    '%s',
    async (wrong, scenario, bounds) => {
      const { problem } = await search({ ...scenario, wrong }, bounds);
      expect(problem).toMatch(/^(lost|in 2 manifests): /);
    },
    60_000,
  );

  it('clocks that differ by more than 15 minutes', async () => {
    const { problem } = await search({ uploads: ['a', 'b'], skewMinutes: 20 }, { switches: 0, crashes: 0 });
    expect(problem).toMatch(/^lost: /);
  });
});
