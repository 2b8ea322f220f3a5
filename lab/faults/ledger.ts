/** One acknowledged write of the campaign. */
export interface Acknowledged {
  readonly key: string;
  readonly versionId: string;
  readonly sha256: string;
}

/** The campaign's own record of the writes that S3 has acknowledged. The checker holds the stack against nothing else. */
export class Ledger {
  readonly writes: Acknowledged[] = [];

  wrote(write: Acknowledged): void {
    this.writes.push(write);
  }
}
