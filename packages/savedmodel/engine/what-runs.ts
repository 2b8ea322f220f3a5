import { converterDigest } from '@inferdrop/savedmodel/internal/converter-digest';

/**
 * Runtime of a model here, for the container's log: onnxruntime with its version, and for a SavedModel the digest of the
 * converter's code.
 */
export async function whatRuns(source: string): Promise<string> {
  // Imported here, so that a process that loads no model needs no onnxruntime.
  const { default: onnxruntime } = await import('onnxruntime-node/package.json', { with: { type: 'json' } });
  if (source.endsWith('.onnx')) return `onnxruntime ${onnxruntime.version}`;
  return `onnxruntime ${onnxruntime.version}, SavedModel converted to ONNX by converter ${await converterDigest()}`;
}
