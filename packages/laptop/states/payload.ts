import { type Json, parseJson } from './json.ts';
import { errorName, StatesError } from './states-error.ts';

/** Bytes of UTF-8 that an input, an output or a result may have. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

/** A value together with its JSON text: each state hands both on, so that nothing is serialized twice. */
export interface Payload {
  readonly value: Json;
  readonly text: string;
}

/** A value with its text, which is what limits are measured on. */
export function payloadOf(value: Json): Payload {
  return { value, text: JSON.stringify(value) };
}

/** @throws {SyntaxError} */
export function payloadFromText(text: string): Payload {
  return { value: parseJson(text), text };
}

/** In bytes of UTF-8. */
export function isWithinLimit(text: string): boolean {
  // A UTF-16 unit is at most three bytes of UTF-8: most payloads need no count.
  return text.length * 3 <= PAYLOAD_LIMIT_BYTES || Buffer.byteLength(text) <= PAYLOAD_LIMIT_BYTES;
}

/** @throws {StatesError} `States.DataLimitExceeded` if the text is larger than 256 KiB */
export function withinLimit(payload: Payload, what: string): Payload {
  if (isWithinLimit(payload.text)) return payload;
  throw new StatesError(
    errorName.dataLimitExceeded,
    `The ${what} has a size of ${Buffer.byteLength(payload.text)} bytes, exceeding the maximum number of bytes ` +
      `service limit (${PAYLOAD_LIMIT_BYTES}).`,
  );
}
