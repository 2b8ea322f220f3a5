/** A request that the model does not take; the status of its answer is of HTTP. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** @throws {RequestRefused} */
export function refuse(message: string, status = 400): never {
  throw new RequestRefused(message, status);
}
