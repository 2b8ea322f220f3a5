import type { FunctionStore } from '../function-store.ts';
import type { RestAction } from '../rest-action.ts';

/** AWS's limits for code, in bytes; the stack does not enforce them. */
const CODE_LIMITS = {
  TotalCodeSize: 80_530_636_800,
  CodeSizeUnzipped: 262_144_000,
  CodeSizeZipped: 52_428_800,
};

/** `GetAccountSettings`. */
export function getAccountSettings(store: FunctionStore, concurrency: number): RestAction {
  return {
    operation: 'GetAccountSettings',
    answer: () => {
      const functions = store.records();
      const reserved = functions.reduce((sum, { latest }) => sum + (latest.reservedConcurrency ?? 0), 0);
      return {
        statusCode: 200,
        body: {
          AccountLimit: {
            ...CODE_LIMITS,
            ConcurrentExecutions: concurrency,
            UnreservedConcurrentExecutions: concurrency - reserved,
          },
          AccountUsage: {
            TotalCodeSize: functions.reduce((sum, { latest }) => sum + latest.codeSize, 0),
            FunctionCount: functions.length,
          },
        },
      };
    },
  };
}
