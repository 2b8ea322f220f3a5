import type { EndpointKind } from '../kind.ts';

/** Serverless endpoints of SageMaker. */
export const serverlessKind: EndpointKind<'serverless'> = {
  words: 'is serverless',
  isPaidByUse: true,
  toHardware: ({ memorySizeInMB, maxConcurrency }) => ({
    kind: 'serverless',
    memorySizeInMB,
    maxConcurrency,
  }),
  hasVolumes: () => false,
  withInstances: (hardware) => hardware,
  describe: ({ memorySizeInMB, maxConcurrency }) =>
    `serverless, ${memorySizeInMB} MB, ${maxConcurrency} at once`,
};
