import { toHostingOptions } from '../hosting-options.ts';
import { instanceKind } from '../instance/rules.ts';
import type { EndpointKind } from '../kind.ts';

/** Endpoints whose instances go while nobody asks: their models are inference components, which are scaled to no copy. */
export const scaleToZeroKind: EndpointKind<'scaleToZero'> = {
  words: 'scales to zero',
  isPaidByUse: true,
  toHardware: (settings) => ({
    kind: 'scaleToZero',
    instanceType: settings.instanceType,
    maxCopies: settings.initialInstanceCount,
    ...toHostingOptions(settings),
  }),
  hasVolumes: instanceKind.hasVolumes,
  withInstances: (hardware) => hardware,
  describe: ({ maxCopies, instanceType }) => `scales to zero, at most ${maxCopies} × ${instanceType}`,
};
