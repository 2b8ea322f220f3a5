import { resolveImageGeneration } from '@inferdrop/model-container/image-generation';
import { servedSignature } from '@inferdrop/model-container/served-model';
import { kindFor } from '../../endpoints/kinds.ts';
import { layoutProblems } from '../../model/archive-layout.ts';
import { SERVING } from '../../model/framework.ts';
import type { OnnxValue, ReadOnnx } from '../../model/onnx/onnx-model.ts';
import type { ModelSignature, SignatureTensor } from '../../model/read-signatures.ts';
import { servedVersion } from '../../model/served-signature.ts';
import type { ArchiveContents } from '../../model/serving/serving-container.ts';
import { unreadFiles } from '../../model/unread-files.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { AnsweringModel } from './judge-answers.ts';

/** Why the container that a pipeline names would not serve an archive of these files; each reason ends with the remedy. */
export function archiveProblems(
  { files, ...contents }: ArchiveContents & { readonly files: readonly string[] },
  { model, transform, endpoint }: PipelineConfig,
): readonly string[] {
  const { framework, frameworkVersion, environment, image, images } = model;
  // A custom image may read any part of the archive.
  if (image !== null) return [];
  // Functions have what they need; only AWS's container asks the network for packages.
  const hasContainer = transform.engine !== 'lambda' || !kindFor(endpoint).runsInFunctions;
  const networkIsolation = model.networkIsolation && hasContainer;
  const { contentType } = transform;
  const needs = { framework, frameworkVersion, environment, images, contentType };
  const unread = unreadFiles(files, contents);
  const read = files.filter((file) => !unread.some(({ name }) => name === file));
  return [
    ...unread.map(({ problem }) => problem),
    ...layoutProblems(read, { ...needs, networkIsolation }, contents),
  ];
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
  { framework, frameworkVersion, image, environment }: PipelineConfig['model'],
): AnsweringModel {
  const isPlain = image === null && SERVING[framework].answersBySignature(files);
  if (framework !== 'onnx' || onnx === null || 'reason' in onnx) {
    const served = servedVersion({ files, signatures }, environment);
    const known =
      served === undefined || 'reason' in served || served.rivals.length > 0 ? 'unread' : served.signatures;
    return {
      signature: known === 'unread' ? undefined : servedSignature(known),
      signatures: known,
      generation: resolveImageGeneration(frameworkVersion),
      ...{ isPlain, answersOutputs: isPlain, classes: null },
    };
  }
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
