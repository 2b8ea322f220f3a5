import type { Inspection } from '../../../src/frameworks/inspection.ts';

/** Trees run nowhere on this machine. */
export const trees: Inspection = {
  runs: () => ['model: on AWS only'],
  served: () => 'the only model',
  unmeasured: ['trees', 'in a run'],
};
