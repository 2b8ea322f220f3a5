import type { Json } from '../json.ts';
import { isWithinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';

/** Bytes that all variables of one scope may have together. */
const SCOPE_LIMIT_BYTES = 10 * 1024 * 1024;

/** Variables of one execution, or of one child of a Distributed Map, which sees none of those around it. */
export class Scope {
  private current: Readonly<Record<string, Json>> = {};
  private readonly sizes = new Map<string, number>();

  /** Every variable that an expression here can see. */
  values(): Readonly<Record<string, Json>> {
    return this.current;
  }

  /** @throws {StatesError} `States.DataLimitExceeded` */
  assign(values: Readonly<Record<string, Json>>): void {
    for (const [name, value] of Object.entries(values)) {
      const text = JSON.stringify(value);
      if (!isWithinLimit(text)) {
        throw new StatesError(errorName.dataLimitExceeded, `Variable '${name}' is larger than 256 KiB.`);
      }
      this.sizes.set(name, Buffer.byteLength(text));
    }
    const total = this.sizes.values().reduce((sum, size) => sum + size, 0);
    if (total > SCOPE_LIMIT_BYTES) {
      throw new StatesError(
        errorName.dataLimitExceeded,
        `The variables of the scope have ${total} bytes, at most ${SCOPE_LIMIT_BYTES}.`,
      );
    }
    this.current = { ...this.current, ...values };
  }
}
