/** One acknowledged write of the campaign. */
export interface Acknowledged {
  readonly key: string;
  readonly versionId: string;
  readonly sha256: string;
}

/** What the campaign knows by itself: which writes S3 has acknowledged. The checker holds the stack against nothing else. */
export class Ledger {
  readonly writes: Acknowledged[] = [];

  wrote(write: Acknowledged): void {
    this.writes.push(write);
  }
}
