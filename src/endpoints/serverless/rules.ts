import type { EndpointKind } from '../kind.ts';

/** Serverless endpoints of SageMaker. */
export const serverlessKind: EndpointKind<'serverless'> = {
  liveCheck: 'serverless-endpoint',
  words: 'is serverless',
  isPaidByUse: true,
  runsInFunctions: false,
  hostsComponents: false,
  toHardware: ({ memorySizeInMB, maxConcurrency }) => ({
    kind: 'serverless',
    memorySizeInMB,
    maxConcurrency,
  }),
  hasVolumes: () => false,
  withInstances: (hardware) => hardware,
  fleet: () => null,
  instancesWhileUpdated: () => 0,
  toHosted: ({ kind: _, ...serverless }) => ({ serverless }),
  ofHosted: ({ serverless }) => (serverless === undefined ? null : { kind: 'serverless', ...serverless }),
  describe: ({ memorySizeInMB, maxConcurrency }) =>
    `serverless, ${memorySizeInMB} MB, ${maxConcurrency} at once`,
};
