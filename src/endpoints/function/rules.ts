import type { EndpointKind } from '../kind.ts';

/** Endpoints that a function of AWS Lambda answers for: nothing runs, and nothing is paid, while nobody asks. */
export const lambdaKind: EndpointKind<'lambda'> = {
  liveCheck: 'lambda-endpoint',
  words: 'runs in functions of Lambda',
  isPaidByUse: true,
  runsInFunctions: true,
  hostsComponents: false,
  toHardware: ({ memorySizeInMB }) => ({ kind: 'lambda', memorySizeInMB }),
  hasVolumes: () => false,
  withInstances: (hardware) => hardware,
  fleet: () => null,
  instancesWhileUpdated: () => 0,
  toHosted: () => null,
  ofHosted: () => null,
  describe: ({ memorySizeInMB }) => `lambda, ${memorySizeInMB} MB`,
};
