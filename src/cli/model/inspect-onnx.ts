import path from 'node:path';
import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import { describeRefusal } from '@inferdrop/savedmodel/servable-model';
import type { OnnxModel, ReadOnnx } from '../../model/onnx/onnx-model.ts';

/** An ONNX model; operators outside of the standard domain have it before their name. */
export interface InspectedOnnx extends Pick<
  OnnxModel,
  'producer' | 'irVersion' | 'inputs' | 'outputs' | 'nodes' | 'classes'
> {
  readonly opsets: Readonly<Record<string, number>>;
  readonly operators: readonly string[];
  readonly external: readonly string[];
  /** Why onnxruntime does not take it; null if it does. */
  readonly refused: string | null;
}

/** Facts of the model.onnx in an unpacked archive, and whether onnxruntime takes it. */
export async function inspectOnnx(folder: string, model: ReadOnnx | null): Promise<InspectedOnnx | null> {
  if (model === null || 'reason' in model) return null;
  const { producer, irVersion, inputs, outputs, nodes, classes, opsets, operators, external } = model;
  return {
    producer,
    irVersion,
    inputs,
    outputs,
    nodes,
    classes,
    opsets: Object.fromEntries(
      [...opsets].map(([domain, version]) => [domain === '' ? 'ai.onnx' : domain, version]),
    ),
    operators: [...operators].flatMap(([domain, names]) =>
      names.map((name) => (domain === '' ? name : `${domain}.${name}`)),
    ),
    external: [...new Set(external.map(({ location }) => location))],
    refused: await refusalOf(path.join(folder, 'model.onnx')),
  };
}

async function refusalOf(file: string): Promise<string | null> {
  try {
    const loaded = await loadOnnx(file, { workers: 1 });
    await loaded.close();
    return null;
  } catch (error) {
    return error instanceof Error ? describeRefusal(error) : String(error);
  }
}
