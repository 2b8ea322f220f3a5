import { layoutProblems } from '../model/archive-layout.ts';
import { SERVING } from '../model/framework.ts';
import type { OnnxValue, ReadOnnx } from '../model/onnx/onnx-model.ts';
import type { ModelSignature, SignatureTensor } from '../model/read-signatures.ts';
import { servedSignature } from '../model/served-signature.ts';
import type { ArchiveContents } from '../model/serving/serving-container.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { AnsweringModel } from './judge-answers.ts';

/** Why the container that a pipeline names would not serve an archive of these files; each reason ends with the remedy. */
export function archiveProblems(
  { files, ...contents }: ArchiveContents & { readonly files: readonly string[] },
  { model, transform, labels, endpoint }: PipelineConfig,
): readonly string[] {
  const { framework, image, images } = model;
  // A custom image may read any part of the archive.
  if (image !== null) return [];
  const { contentType, batchStrategy } = transform;
  const joined = labels.truth?.from === 'record';
  // Functions have what they need; only AWS's container asks the network for packages.
  const hasContainer = transform.engine !== 'lambda' || endpoint.type !== 'lambda';
  const networkIsolation = model.networkIsolation && hasContainer;
  const needs = { framework, contentType, batchStrategy, joined, networkIsolation, images };
  return layoutProblems(files, needs, contents);
}

/** Facts from an archive about the answers that a pipeline's container gives. */
export function answeringModel(
  {
    files,
    signatures,
    onnx,
  }: {
    readonly files: readonly string[];
    readonly signatures: ReadonlyMap<string, readonly ModelSignature[]>;
    readonly onnx: ReadOnnx | null;
  },
  { framework, image }: PipelineConfig['model'],
): AnsweringModel {
  const isPlain = image === null && SERVING[framework].answersBySignature(files);
  if (framework !== 'onnx' || onnx === null || 'reason' in onnx)
    return { signature: servedSignature(signatures), isPlain, answersOutputs: isPlain, classes: null };
  return {
    signature: { name: 'model.onnx', inputs: [], outputs: onnx.outputs.map(toSignatureTensor) },
    isPlain,
    answersOutputs: image === null && !files.includes('code/inference.py'),
    classes: onnx.classes,
  };
}

function toSignatureTensor({ name, type, shape }: OnnxValue): SignatureTensor {
  const kind = /^float/.test(type) ? 'float' : /^u?int/.test(type) ? 'integer' : 'other';
  return { name, kind, shape: shape?.map((size) => (typeof size === 'number' ? size : -1)) };
}
