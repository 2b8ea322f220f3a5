import * as z from 'zod';
import { toAnswerText } from '../text/answer-text.ts';
import { parsedJson } from '../text/parse-json.ts';

/** A line of SageMaker's data log: its time, and the rest. */
const LINE = /^\S+:\[sagemaker logs\]: ?(.*)$/s;
/** Beginnings of SageMaker's messages about an object. */
const LATE = 'Model server did not respond to ';
const WORDS = `ClientError: |Bad HTTP status received from algorithm: |Unable to get response from algorithm|${LATE}`;
/** The container's proxy gives up on its own server after as long. */
const GATEWAY_TIMEOUT = '504';
/** Follows the reason of an input that the container was too slow for. */
export const TOO_SLOW = ', since no answer came within transform.invocationsTimeoutInSeconds';
const REASON = new RegExp(`^(?:${WORDS})`);
/** The first line about an object. Its name itself may contain `: `. */
const FIRST_LINE = new RegExp(`^(.+?): ((?:${WORDS}).*)$`, 's');
/** Cap on the lines of a container's answer that are kept: the message of an exception is in the first ones. */
const MAX_LINES = 20;
const MAX_TEXT_LENGTH = 500;

/** Why an object has no output. */
interface InputFailure {
  readonly object: string;
  readonly why: string;
  readonly status: number | undefined;
  readonly isLate: boolean;
}

/**
 * Why objects of a transform job have no output, from its data log: a line `<bucket>/<key>: <reason>` and, if the container
 * answered, `<bucket>/<key>: Message:` followed by the lines of its answer. Lines of objects that failed at the same time are
 * interleaved.
 */
export class DataLogReader {
  readonly #most: number;
  readonly #failures = new Map<string, { reason: string; message: string[] | undefined }>();

  /** @param most cap on the objects that are kept; further ones are skipped */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds the next line of a stream. */
  add(line: string): void {
    const text = LINE.exec(line)?.[1];
    if (text === undefined) return;
    if (this.#addToKnown(text)) return;
    const [, name, reason] = FIRST_LINE.exec(text) ?? [];
    if (name === undefined || reason === undefined) return;
    if (this.#failures.size < this.#most) this.#failures.set(name, { reason, message: undefined });
  }

  /** The objects without an output, as `<bucket>/<key>`, and why, on one line; `isLate` if no answer came in time. */
  *failures(): Generator<InputFailure, undefined> {
    for (const [object, { reason, message = [] }] of this.#failures) {
      const status = /: (\d{3})$/.exec(reason)?.[1];
      const isLate = reason.startsWith(LATE) || status === GATEWAY_TIMEOUT;
      yield {
        object,
        isLate,
        status: status === undefined ? undefined : Number(status),
        why: toWhy(reason, status, message.join('\n')) + (isLate ? TOO_SLOW : ''),
      };
    }
    return undefined;
  }

  /** Adds a line to a known object. The longest name counts, since an object's name can begin with another's. */
  #addToKnown(text: string): boolean {
    for (let at = text.lastIndexOf(':'); at > 0; at = text.lastIndexOf(':', at - 1)) {
      const failure = this.#failures.get(text.slice(0, at));
      if (failure === undefined) continue;
      const rest = text.slice(at + 1).replace(/^ /, '');
      if (REASON.test(rest)) {
        // A later job, or a later attempt, starts over.
        failure.reason = rest;
        failure.message = undefined;
      } else if (rest === 'Message:') failure.message = [];
      else if (failure.message === undefined) return rest === '';
      else if (failure.message.length < MAX_LINES) failure.message.push(rest);
      return true;
    }
    return false;
  }
}

/** Whether a log stream is SageMaker's data log, not a container's. */
export function isDataLog(stream: string): boolean {
  return stream.endsWith('/data-log');
}

function toWhy(reason: string, status: string | undefined, answer: string): string {
  const message = toMessage(answer);
  const said = status === undefined ? reason : `the container answered ${status}`;
  const text = message === '' ? said : `${said}: ${message}`;
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

const Raised = z.object({ error: z.string() });

/** A container's answer on one line; exceptions of handlers come as `{"error": "…"}`. */
function toMessage(answer: string): string {
  return (errorOf(answer) ?? toAnswerText(answer)).replace(/\s+/g, ' ').trim();
}

function errorOf(answer: string): string | undefined {
  return Raised.safeParse(parsedJson(answer)).data?.error;
}
