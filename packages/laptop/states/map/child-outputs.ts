import { type Json, parseJson } from '../json.ts';
import { PAYLOAD_LIMIT_BYTES } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';

/** Outputs of children, kept only as long as they can still become one result. */
export class ChildOutputs {
  private readonly texts = new Map<number, string>();
  private bytes = 2;

  add(index: number, text: string): void {
    this.bytes += Buffer.byteLength(text) + 1;
    if (this.bytes - 1 > PAYLOAD_LIMIT_BYTES) this.texts.clear();
    else this.texts.set(index, text);
  }

  /** @throws {StatesError} `States.DataLimitExceeded` if they are too many for a result */
  inOrder(stateName: string): Json {
    if (this.bytes - 1 > PAYLOAD_LIMIT_BYTES) {
      const cause =
        `The state/task '${stateName}' returned a result with a size exceeding the maximum number of bytes service ` +
        'limit. Use a ResultWriter.';
      throw new StatesError(errorName.dataLimitExceeded, cause);
    }
    return [...this.texts].sort(([a], [b]) => a - b).map(([, text]) => parseJson(text));
  }
}
