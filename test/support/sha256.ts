import { createHash, createHmac } from 'node:crypto';

/** SHA-256 and its HMAC, as the SDK's signer wants them handed in. */
export class Sha256 {
  private readonly hash;
  constructor(secret?: any) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: any): void {
    this.hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }
}
