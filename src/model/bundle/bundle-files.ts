import type { AddedFile } from '../append-to-tar.ts';
import { BUNDLE_HANDLER } from './handler-text.ts';

const SCRIPT = 'code/inference.py';

/**
 * Files that have a TensorFlow archive answer bundles: a handler in the place of its own, which lies beside it unchanged. The last of two
 * files of one name in a tar is the one that is unpacked.
 */
export function bundleFiles(scripts: ReadonlyMap<string, string>): readonly AddedFile[] {
  const own = scripts.get(SCRIPT);
  return [
    ...(own === undefined ? [] : [{ name: 'code/inferdrop_served.py', body: Buffer.from(own) }]),
    { name: SCRIPT, body: Buffer.from(BUNDLE_HANDLER) },
  ];
}
