import { limitsOf } from './function.ts';

/** US dollars in us-east-1, without free tiers, as the services’ price pages have had them since 2021; look again before a decision. */
export const USD = {
  s3Write: 0.005 / 1_000, // PUT, COPY, POST, LIST
  s3Read: 0.0004 / 1_000, // GET and all others
  s3GbMonth: 0.023,
  event: 1 / 1e6, // events of AWS services that are switched on, S3's among them
  sqs: 0.4 / 1e6,
  lambdaCall: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334, // arm64
  transition: 0.025 / 1_000,
  logGb: 0.5,
  logGbMonth: 0.03,
} as const;

const MONTH_DAYS = 30.4;
/** Lambda's START, END and REPORT with the line of step.ts, and CloudWatch's 26 bytes on each. */
const LOG_BYTES_A_CALL = 700;
/** An event in the log of a state machine that logs ALL. */
const LOG_BYTES_AN_EVENT = 700;
/** Retention of the stack's own log groups, in months. */
const LOG_MONTHS = 1;

/** One line of the bill. */
export interface Item {
  readonly step: string;
  readonly what: string;
  readonly count: number;
  readonly usd: number;
}

/** Objects that are written, and how long they are kept. */
interface Written {
  /** Bytes of each. */
  readonly bytes: number;
  /** Name of their line under storage. */
  readonly stored: string;
}

/** Collects the requests of a run; the events, logs and storage that follow from them are in `finish`. */
export class Bill {
  readonly #items: Item[] = [];
  readonly #days: (stored: string) => number;
  readonly #gigabytes = new Map<string, number>();
  #objects = 0;
  #logBytes = 0;

  /** @param days that an object of a storage line is kept, its noncurrent version included */
  constructor(days: (stored: string) => number) {
    this.#days = days;
  }

  add(step: string, what: string, count: number, usdEach: number): void {
    if (count > 0) this.#items.push({ step, what, count: Math.ceil(count), usd: count * usdEach });
  }

  put(step: string, what: string, count: number, { bytes, stored }: Written): void {
    this.add(step, `PUTs of ${what}`, count, USD.s3Write);
    this.#objects += count;
    this.#gigabytes.set(stored, (this.#gigabytes.get(stored) ?? 0) + (count * bytes) / 1e9);
  }

  read(step: string, what: string, count: number): void {
    this.add(step, `GETs of ${what}`, count, USD.s3Read);
  }

  list(step: string, what: string, count: number): void {
    this.add(step, `LISTs of ${what}`, count, USD.s3Write);
  }

  /** @param seconds of all calls together */
  invoke(step: string, name: string, calls: number, seconds: number): void {
    this.add(step, `calls of ${name}`, calls, USD.lambdaCall);
    this.add(step, `GB-seconds of ${name}`, (seconds * limitsOf(name).memoryMiB) / 1_024, USD.lambdaGbSecond);
    this.#logBytes += calls * LOG_BYTES_A_CALL;
  }

  /** Children of a Distributed Map: AWS counts each one's start and end in addition to its states, and a task logs five events. */
  children(step: string, what: string, count: number, states: number): void {
    this.add(step, `transitions of ${what}`, count * (states + 2), USD.transition);
    this.#logBytes += count * (5 + 2 * states) * LOG_BYTES_AN_EVENT;
  }

  finish(): readonly Item[] {
    this.add('events', 'events of written objects', this.#objects, USD.event);
    // The bucket has versions: an object that expires leaves a delete marker, and is deleted when its version expires.
    this.add('events', 'events of objects that expire', 2 * this.#objects, USD.event);
    const logGb = this.#logBytes / 1e9;
    this.add('logs', 'GB of functions and state machines', logGb, USD.logGb);
    for (const [stored, gigabytes] of this.#gigabytes)
      this.add(
        'storage',
        `GB-months of ${stored}`,
        (gigabytes * this.#days(stored)) / MONTH_DAYS,
        USD.s3GbMonth,
      );
    this.add('storage', 'GB-months of logs', logGb * LOG_MONTHS, USD.logGbMonth);
    return this.#items;
  }
}
