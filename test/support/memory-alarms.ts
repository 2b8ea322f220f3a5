import type { RollbackAlarms } from '../../src/aws/account/rollback-alarms.ts';

/** Alarms that exist as a test says, and as they were asked for. */
export function memoryAlarms() {
  /** Since when each alarm rings; null while it is silent. */
  const all = new Map<string, Date | null>();
  const asked: string[] = [];
  const alarms: RollbackAlarms = {
    judged: async (names) =>
      names.flatMap((name) => {
        const since = all.get(name);
        return since === undefined ? [] : [{ name, isRinging: since !== null, since: since ?? undefined }];
      }),
    async watch(alarm, configName) {
      asked.push(`watch ${alarm} of ${configName}`);
      if (!all.has(alarm)) all.set(alarm, null);
    },
    ring: async (alarm, configName) => void asked.push(`ring ${alarm} of ${configName}`),
    async delete(alarm) {
      asked.push(`delete ${alarm}`);
      all.delete(alarm);
    },
  };
  return { ...alarms, all, asked };
}
