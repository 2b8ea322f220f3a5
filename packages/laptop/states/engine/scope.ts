import type { Json } from '../json.ts';
import { isWithinLimit } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';

/** Bytes that all variables of one scope may have together. */
const SCOPE_LIMIT_BYTES = 10 * 1024 * 1024;

/** Variables of one block. What surrounds the block can be read but not assigned. */
export class Scope {
  private readonly outer: Scope | undefined;
  private own: Readonly<Record<string, Json>> = {};
  private readonly sizes = new Map<string, number>();
  private flat: Readonly<Record<string, Json>> | undefined;

  constructor(outer?: Scope) {
    this.outer = outer;
  }

  /** Every variable that an expression here can see. */
  values(): Readonly<Record<string, Json>> {
    this.flat ??= { ...this.outer?.values(), ...this.own };
    return this.flat;
  }

  /** @throws {StatesError} `States.DataLimitExceeded`, or `States.Runtime` for a variable of an outer scope */
  assign(values: Readonly<Record<string, Json>>): void {
    const outer = this.outer?.values() ?? {};
    for (const [name, value] of Object.entries(values)) {
      if (Object.hasOwn(outer, name)) {
        throw new StatesError(
          errorName.runtime,
          `Variable '${name}' belongs to an outer scope and cannot be assigned here.`,
        );
      }
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
    this.own = { ...this.own, ...values };
    this.flat = undefined;
  }
}
