const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/**
 * Reads a rate, such as `rate(5 minutes)`, as milliseconds.
 *
 * @throws {Error} saying what is wrong with it
 */
export function parseRate(expression: string): number {
  const [, count = '', unit, plural] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  if (!isUnit(unit))
    throw new Error(`${expression}: this stack has schedules like rate(5 minutes); cron(…) is not emulated`);
  const number = Number(count);
  if (number < 1 || (number === 1) === (plural === 's')) {
    throw new Error(
      `${expression}: rate is 1 of a singular unit or more of a plural one, as rate(1 hour), rate(5 minutes)`,
    );
  }
  return number * UNIT_MS[unit];
}

function isUnit(unit: string | undefined): unit is keyof typeof UNIT_MS {
  return unit !== undefined && Object.hasOwn(UNIT_MS, unit);
}
