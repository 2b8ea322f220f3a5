import { AwsError } from '../../kernel/aws-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';

interface Waiting {
  succeed(output: Json): void;
  fail(error: StatesError): void;
  beat(): void;
}

interface OpenToken {
  readonly token: string;
  /** What was sent for the token. */
  readonly result: Promise<Json>;
  /** Starts to watch for heartbeats. */
  expectHeartbeats(everyMs: number): void;
  close(): void;
}

/** Tasks that wait for `SendTaskSuccess` or `SendTaskFailure`. */
export class TaskTokens {
  private readonly clock: Clock;
  private readonly uuid: () => string;
  private readonly waiting = new Map<string, Waiting>();

  constructor(clock: Clock, uuid: () => string) {
    this.clock = clock;
    this.uuid = uuid;
  }

  open(): OpenToken {
    const token = Buffer.from(`${this.uuid()}${this.uuid()}`).toString('base64url');
    let cancel = (): void => undefined;
    let beat = (): void => undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    // A token can fail before it is waited for.
    promise.catch(() => undefined);
    this.waiting.set(token, { succeed: resolve, fail: reject, beat: () => beat() });
    return {
      token,
      result: promise,
      expectHeartbeats: (everyMs) => {
        beat = () => {
          cancel();
          cancel = this.clock.after(everyMs, () =>
            reject(new StatesError(errorName.heartbeatTimeout, undefined)),
          );
        };
        beat();
      },
      close: () => {
        cancel();
        this.waiting.delete(token);
      },
    };
  }

  succeed(token: string, output: Json): void {
    this.find(token).succeed(output);
  }

  fail(token: string, error: string | undefined, cause: string | undefined): void {
    this.find(token).fail(new StatesError(error ?? errorName.taskFailed, cause));
  }

  heartbeat(token: string): void {
    this.find(token).beat();
  }

  /** @throws {AwsError} `InvalidToken` or `TaskTimedOut` */
  private find(token: string): Waiting {
    const waiting = this.waiting.get(token);
    if (waiting) return waiting;
    if (!/^[\w-]{96}$/.test(token)) throw new AwsError('InvalidToken', `Invalid Token: '${token}'`);
    throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  }
}
