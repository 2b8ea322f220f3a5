import { instanceKind, toHostingOptions } from '../instance/rules.ts';
import type { EndpointKind } from '../kind.ts';

/** Endpoints that give up their instances while nobody calls them: their models are inference components, which are scaled to no copy. */
export const scaleToZeroKind: EndpointKind<'scaleToZero'> = {
  liveCheck: 'waking-endpoint',
  words: 'scales to zero',
  isPaidByUse: true,
  runsInFunctions: false,
  hostsComponents: true,
  toHardware: (settings) => ({
    kind: 'scaleToZero',
    instanceType: settings.instanceType,
    maxCopies: settings.initialInstanceCount,
    ...toHostingOptions(settings),
  }),
  hasVolumes: instanceKind.hasVolumes,
  withInstances: (hardware) => hardware,
  fleet: () => null,
  instancesWhileUpdated: instanceKind.instancesWhileUpdated,
  // An update runs two models next to each other, so the bound is twice the copies of one.
  toHosted: ({ kind: _, maxCopies, ...variant }) => ({
    ...variant,
    initialInstanceCount: 1,
    managedInstances: 2 * maxCopies,
  }),
  ofHosted: ({
    instanceType = '',
    initialInstanceCount: _,
    acceleratorType: __,
    managedInstances,
    ...rest
  }) =>
    managedInstances === undefined
      ? null
      : { kind: 'scaleToZero', instanceType, maxCopies: managedInstances / 2, ...rest },
  describe: ({ maxCopies, instanceType }) => `scales to zero, at most ${maxCopies} × ${instanceType}`,
};
