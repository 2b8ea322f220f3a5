import { parseCron } from './cron.ts';

/** The first time after `afterMs`, or undefined if there is no further one. Milliseconds since the epoch, UTC. */
export type Schedule = (afterMs: number) => number | undefined;

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/**
 * Reads `rate(5 minutes)` or `cron(0 3 * * ? *)`.
 *
 * @throws {Error} saying what is wrong with it
 */
export function parseScheduleExpression(expression: string): Schedule {
  const rate = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression);
  if (rate) {
    const [, count = '', unit, plural] = rate;
    const number = Number(count);
    if (number < 1 || (number === 1) === (plural === 's') || !isUnit(unit)) {
      throw new Error(
        `${expression}: rate is 1 of a singular unit or more of a plural one, as rate(1 hour), rate(5 minutes)`,
      );
    }
    return (afterMs) => afterMs + number * UNIT_MS[unit];
  }
  const cron = /^cron\((.*)\)$/.exec(expression);
  if (cron?.[1] !== undefined) return parseCron(cron[1]);
  throw new Error(`${expression}: a schedule is rate(value unit) or cron(fields)`);
}

function isUnit(unit: string | undefined): unit is keyof typeof UNIT_MS {
  return unit !== undefined && Object.hasOwn(UNIT_MS, unit);
}
