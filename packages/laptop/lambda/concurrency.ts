import { AwsError } from '../kernel/aws-error.ts';
import type { FunctionRecord } from './function-config.ts';

/** Concurrency that AWS keeps for functions without a reservation; less only if the whole account has less. */
const MIN_UNRESERVED = 100;
const THROTTLED = 'TooManyRequestsException';

/**
 * Invocations in flight, counted against the account's limit. A function with reserved concurrency has only that; all others share the
 * rest of the account's.
 */
export function createConcurrency(accountLimit: number, records: () => Iterable<FunctionRecord>) {
  /** Running invocations by function with reserved concurrency; all others count under `undefined`. */
  const running = new Map<string | undefined, number>();
  const reservedBut = (name?: string): number => {
    let sum = 0;
    for (const record of records()) if (record.name !== name) sum += record.latest.reservedConcurrency ?? 0;
    return sum;
  };
  const count = (share: string | undefined, change: number): void => {
    running.set(share, (running.get(share) ?? 0) + change);
  };
  return {
    /** @throws {AwsError} `TooManyRequestsException` where the share is used up */
    async run<T>(record: FunctionRecord, work: () => Promise<T>): Promise<T> {
      const { reservedConcurrency } = record.latest;
      const share = reservedConcurrency === undefined ? undefined : record.name;
      if ((running.get(share) ?? 0) >= (reservedConcurrency ?? accountLimit - reservedBut()))
        throw throttled(
          reservedConcurrency === undefined
            ? 'ConcurrentInvocationLimitExceeded'
            : 'ReservedFunctionConcurrentInvocationLimitExceeded',
        );
      count(share, 1);
      try {
        return await work();
      } finally {
        count(share, -1);
      }
    },
    /** @throws {AwsError} `InvalidParameterValueException` where too little would be left for the others */
    checkReservation(name: string, reserved: number): void {
      const least = Math.min(MIN_UNRESERVED, accountLimit);
      if (accountLimit - reservedBut(name) - reserved >= least) return;
      throw new AwsError(
        'InvalidParameterValueException',
        `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below ` +
          `its minimum value of [${least}].`,
      );
    },
  };
}

/** Result of the work; undefined if it found the function's share used up. */
export async function unlessThrottled<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AwsError && error.code === THROTTLED) return undefined;
    throw error;
  }
}

function throttled(Reason: string): AwsError {
  return new AwsError(THROTTLED, 'Rate Exceeded.', {
    statusCode: 429,
    details: { Reason, Type: 'User' },
  });
}
