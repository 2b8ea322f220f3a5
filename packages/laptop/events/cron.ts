const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAY_MS = 86_400_000;
/** EventBridge's years end in 2199; a date that has not come by then never comes. */
const LAST_YEAR = 2199;

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** A day of the calendar. `month` 1 to 12, `weekday` 1 (Sunday) to 7, `last` the number of the month's last day. */
interface Day {
  readonly day: number;
  readonly month: number;
  readonly year: number;
  readonly weekday: number;
  readonly last: number;
}

type DayTest = (day: Day) => boolean;

/**
 * Reads EventBridge's six cron fields: minutes, hours, day of month, month, day of week, year; with `, - / * ? L W #`. UTC.
 *
 * @throws {Error} naming the field
 */
export function parseCron(text: string): (afterMs: number) => number | undefined {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 6) throw new Error(`cron(${text}) has ${fields.length} fields, must have 6`);
  const [minutes = '', hours = '', dayOfMonth = '', months = '', dayOfWeek = '', years = ''] = fields;
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) {
    throw new Error(`cron(${text}): exactly one of day of month and day of week must be ?`);
  }
  const minuteSet = numbersIn(minutes, { name: 'minutes', min: 0, max: 59 });
  const hourSet = numbersIn(hours, { name: 'hours', min: 0, max: 23 });
  const monthSet = numbersIn(months, { name: 'month', min: 1, max: 12, names: MONTHS });
  const yearSet = numbersIn(years, { name: 'year', min: 1970, max: LAST_YEAR });
  const matchesDay = dayOfMonth === '?' ? parseDayOfWeek(dayOfWeek) : parseDayOfMonth(dayOfMonth);

  return (afterMs) => {
    const firstMs = Math.floor(afterMs / 60_000) * 60_000 + 60_000;
    for (let dayMs = Math.floor(firstMs / DAY_MS) * DAY_MS; ; dayMs += DAY_MS) {
      const day = toDay(dayMs);
      if (day.year > LAST_YEAR) return undefined;
      if (!yearSet.has(day.year) || !monthSet.has(day.month) || !matchesDay(day)) continue;
      const found = firstMinute(dayMs, firstMs, hourSet, minuteSet);
      if (found !== undefined) return found;
    }
  };
}

function firstMinute(
  dayMs: number,
  firstMs: number,
  hours: ReadonlySet<number>,
  minutes: ReadonlySet<number>,
): number | undefined {
  for (let hour = 0; hour < 24; hour++) {
    if (!hours.has(hour)) continue;
    for (let minute = 0; minute < 60; minute++) {
      const timeMs = dayMs + (hour * 60 + minute) * 60_000;
      if (minutes.has(minute) && timeMs >= firstMs) return timeMs;
    }
  }
  return undefined;
}

function toDay(dayMs: number): Day {
  const date = new Date(dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    day: date.getUTCDate(),
    month: month + 1,
    year,
    weekday: date.getUTCDay() + 1,
    last: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  };
}

function parseDayOfMonth(text: string): DayTest {
  if (text === 'L') return ({ day, last }) => day === last;
  if (text === 'LW') return (day) => day.day === nearestWeekday(day, day.last);
  const nearest = /^(\d{1,2})W$/.exec(text)?.[1];
  if (nearest !== undefined)
    return (day) => Number(nearest) <= day.last && day.day === nearestWeekday(day, Number(nearest));
  const days = numbersIn(text, { name: 'day of month', min: 1, max: 31 });
  return ({ day }) => days.has(day);
}

function parseDayOfWeek(text: string): DayTest {
  const field = { name: 'day of week', min: 1, max: 7, names: WEEKDAYS };
  if (text === 'L') return ({ weekday }) => weekday === 7;
  const lastOf = /^(\w+)L$/.exec(text)?.[1];
  if (lastOf !== undefined) {
    const wanted = numberIn(lastOf, field);
    return ({ weekday, day, last }) => weekday === wanted && day > last - 7;
  }
  const [, name, nth] = /^(\w+)#([1-5])$/.exec(text) ?? [];
  if (name !== undefined) {
    const wanted = numberIn(name, field);
    return ({ weekday, day }) => weekday === wanted && Math.ceil(day / 7) === Number(nth);
  }
  const weekdays = numbersIn(text, field);
  return ({ weekday }) => weekdays.has(weekday);
}

/** The weekday nearest to `target` within the same month. */
function nearestWeekday(day: Day, target: number): number {
  const weekday = (((day.weekday - 1 + target - day.day) % 7) + 7) % 7;
  if (weekday === 6) return target === 1 ? 3 : target - 1;
  if (weekday === 0) return target === day.last ? target - 2 : target + 1;
  return target;
}

function numbersIn(text: string, field: Field): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', stepText] = part.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    if (!Number.isInteger(step) || step < 1)
      throw new Error(`cron ${field.name}: ${part} has no step of 1 or more`);
    const [fromText = '', toText] = range.split('-');
    const whole = range === '*' || range === '?';
    const from = whole ? field.min : numberIn(fromText, field);
    const to =
      toText !== undefined ? numberIn(toText, field) : whole || stepText !== undefined ? field.max : from;
    for (let number = from; number <= to; number += step) numbers.add(number);
  }
  if (numbers.size === 0) throw new Error(`cron ${field.name}: ${text} names nothing`);
  return numbers;
}

function numberIn(text: string, { name, min, max, names }: Field): number {
  const index = names?.indexOf(text.toUpperCase()) ?? -1;
  const number = index === -1 ? (/^\d+$/.test(text) ? Number(text) : Number.NaN) : index + 1;
  if (number >= min && number <= max) return number;
  throw new Error(
    `cron ${name}: ${JSON.stringify(text)} must be ${min}..${max}${names ? ` or ${names.join(', ')}` : ''}`,
  );
}
