/** Outcome of one input object: its output was stored, or the side at fault. */
export type ObjectOutcome = 'done' | 'client-error' | 'algorithm-error';

/** The object has no output; the message and `detail` go to the data log. */
export class ObjectFailure extends Error {
  override readonly name = 'ObjectFailure';
  readonly outcome: ObjectOutcome;
  readonly detail: string | undefined;

  constructor(outcome: ObjectOutcome, reason: string, detail?: string) {
    super(reason);
    this.outcome = outcome;
    this.detail = detail;
  }
}

/** A fault of the client, in the words of the data log: something is wrong with the bytes of an object. */
export function clientError(reason: string): ObjectFailure {
  return new ObjectFailure('client-error', `ClientError: ${reason}`);
}

/** Runs work that can only fail because of an object's or an answer's bytes. */
export function blameBytes<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw clientError(error instanceof Error ? error.message : String(error));
  }
}
