import type { AddedFile } from '../model/append-to-tar.ts';
import { INFERENCE_SCRIPT } from '../model/script-names.ts';
import { BUNDLE_MODULE, PYTORCH_HANDLER, TENSORFLOW_HANDLER } from './bundle-handlers.ts';
import type { Framework } from './framework-name.ts';

/** The `code/inference.py` that answers bundles, by framework. */
export const BUNDLE_HANDLERS: Readonly<Record<Framework, string>> = {
  tensorflow: TENSORFLOW_HANDLER,
  pytorch: PYTORCH_HANDLER,
  // It runs in the container of PyTorch.
  onnx: PYTORCH_HANDLER,
};

/**
 * Files that let an archive answer bundles: a handler that replaces its own, which stays next to it unchanged. If a tar has two
 * files of one name, the last one is unpacked.
 *
 * @param own the archive's own `code/inference.py`, if it has one
 */
export function bundleFiles(
  framework: Framework,
  own: string | Uint8Array | undefined,
): readonly AddedFile[] {
  return [
    ...(own === undefined ? [] : [{ name: 'code/inferdrop_served.py', body: Buffer.from(own) }]),
    { name: 'code/inferdrop_bundle.py', body: Buffer.from(BUNDLE_MODULE) },
    { name: INFERENCE_SCRIPT, body: Buffer.from(BUNDLE_HANDLERS[framework]) },
  ];
}
