/** Signs one chunk of an `aws-chunked` body, each upon the signature of the one before; the request's own is the first. */
export interface ChunkSigning {
  readonly seed: string;
  sign(algorithm: string, lines: readonly string[]): string;
}
