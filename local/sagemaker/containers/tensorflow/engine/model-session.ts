import { InferenceSession, type Tensor as OnnxTensor } from 'onnxruntime-node';
import { onnxInputName, onnxOutputName } from '../onnx/convert-graph.ts';
import { runHostStage } from '../host/run-host-stage.ts';
import type { ConvertedSignature } from './load-model.ts';
import { fromOnnxValue, toOnnxTensor } from './onnx-tensor.ts';
import { InvalidFeeds, UnsupportedModel, type Tensor } from './servable-model.ts';

/** One signature, ready to run. */
export interface ModelSession {
  run(feeds: ReadonlyMap<string, Tensor>): Promise<Map<string, Tensor>>;
  release(): Promise<void>;
}

/**
 * Hands a converted signature to onnxruntime, with one thread: several workers with a thread each do more on shared
 * cores than one pool of spinning threads.
 *
 * @throws {UnsupportedModel} if onnxruntime does not take the graph
 */
export async function openModelSession(converted: ConvertedSignature): Promise<ModelSession> {
  const session = await InferenceSession.create(converted.onnx, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 4,
  }).catch((error: unknown): never => {
    throw new UnsupportedModel(['onnxruntime'], error instanceof Error ? error.message : String(error));
  });
  const { signature, stage, hostInputs, handedOn, onnxInputs } = converted;
  return {
    async run(feeds) {
      const inputs: Record<string, OnnxTensor> = {};
      for (const name of onnxInputs) inputs[onnxInputName(name)] = toOnnxTensor(feedOf(feeds, name));
      if (stage.cuts.length > 0) {
        const hostFeeds = new Map([...hostInputs].map(([name, tensor]) => [tensor, feedOf(feeds, name)]));
        for (const [tensor, value] of await runHostStage(stage, hostFeeds)) {
          inputs[onnxInputName(handedOn.get(tensor) ?? tensor)] = toOnnxTensor(value);
        }
      }
      const results = await session.run(inputs).catch((error: unknown): never => {
        throw new InvalidFeeds(error instanceof Error ? error.message : String(error));
      });
      return new Map(
        signature.outputs.map(({ name, dtype }) => [
          name,
          fromOnnxValue(results[onnxOutputName(name)], dtype),
        ]),
      );
    },
    release: () => session.release(),
  };
}

function feedOf(feeds: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const feed = feeds.get(name);
  if (feed === undefined) throw new InvalidFeeds(`Input ${name} is missing`);
  return feed;
}
