import type { EnginePlanning } from '../../../src/plan/engine/engine-planning.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import type { EngineSettings } from '../../../src/transform/engine-settings.ts';

// The settings are stored under the engine's name, which no schema knows.
const SETTINGS = { name: 'fleet', hosts: 3 } as unknown as EngineSettings;

/** A fleet answers ten inputs a second, for a dollar an hour. */
export const fleet: EnginePlanning = {
  liveCheck: 'fleet-run',
  judge: ({ config }) => ({
    imageUri: undefined,
    prices: { pricesUsd: {}, source: 'table', date: '2026-01-01', notes: [], problems: [] },
    problems:
      config.transform.instanceCount === 1
        ? []
        : [
            {
              file: 'pipeline.json',
              field: 'transform.instanceCount',
              value: '2',
              message: 'is the fleet’s',
            },
          ],
  }),
  archiveProblems: (reasons) => reasons.map((reason) => ({ message: `${reason}, or take the fleet away` })),
  jobSettings: () => ({ settings: SETTINGS, notes: ['the fleet is at work'] }),
  sending: () => ({ outputs: 'objects', bundle: null, notes: [] }),
  gainsApart: () => false,
  largestAllowedBytes: () => 1_000,
  speed: () => 10,
  withSpeed: (settings) => settings,
  quoteSeconds: ({ objects }) => objects / 10,
  objectsOfJob: () => 100,
  objectsOfRound: () => 10,
  quoteUsd: (_prices, jobs) => jobs.reduce((sum, { quotedSeconds }) => sum + quotedSeconds / 3600, 0),
  hourlyUsd: () => 1,
  plan: () => SETTINGS as Plan['engine'],
};
