/** Written into the bundles by scripts/build-functions.ts, because they have no sources to compute it from. */
declare const CONVERTER_DIGEST: string;

/** Digest of the converter's sources that the bundle was built from, in the place of the function that computes it. */
export function converterDigest(): Promise<string> {
  return Promise.resolve(CONVERTER_DIGEST);
}
