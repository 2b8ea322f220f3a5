import type { EngineRules } from '../../../src/transform/engine-rules.ts';

/** A fleet of hosts that one has already. */
export const fleet: EngineRules = {
  jobTitle: 'job of the fleet',
  startsContainer: true,
  losesStopped: false,
  hardware: () => '3 hosts of a fleet',
  payloadMB: () => 16,
  requestSeconds: () => 60,
  asked: () => ({ instanceCount: 1 }),
  onHardwareOf: (settings) => settings,
  gentler: (settings) => settings,
  logPlace: () => 'Its log is on the hosts',
  hasFailedItself: () => false,
};
