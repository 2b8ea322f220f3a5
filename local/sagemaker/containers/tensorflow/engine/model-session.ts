import { InferenceSession, type Tensor as OnnxTensor } from './onnxruntime.ts';
import { guardNamed } from '../onnx/guard.ts';
import { onnxInputName, onnxOutputName, operationNamed } from '../onnx/convert-graph.ts';
import { runHostStage } from '../host/run-host-stage.ts';
import type { ConvertedSignature } from './load-model.ts';
import { fromOnnxValue, toOnnxTensor } from './onnx-tensor.ts';
import { InvalidFeeds, UnsupportedModel, type NamedTensors, type Tensor } from './servable-model.ts';

/** One signature, ready to run: `prepare` and then `infer`, or both as `run`. */
export interface ModelSession {
  /** Runs what comes before ONNX, such as the decoding of images; gives ONNX's inputs. @throws {InvalidFeeds} */
  prepare(feeds: NamedTensors): Promise<NamedTensors>;
  /** @throws {InvalidFeeds} if onnxruntime refuses them */
  infer(inputs: NamedTensors): Promise<Map<string, Tensor>>;
  run(feeds: NamedTensors): Promise<Map<string, Tensor>>;
  release(): Promise<void>;
}

/** What onnxruntime says of a filter that is smaller than its images are deep, which nothing but their sizes tells. */
const IN_GROUPS = /Input channels C is not equal to kernel channels \* group/;

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
    const message = error instanceof Error ? error.message : String(error);
    throw new UnsupportedModel([operationNamed(message) ?? 'onnxruntime'], message);
  });
  const { signature, stage, hostInputs, handedOn, onnxInputs } = converted;
  const prepare = async (feeds: NamedTensors): Promise<NamedTensors> => {
    const inputs = new Map(onnxInputs.map((name) => [name, feedOf(feeds, name)]));
    if (stage.cuts.length === 0) return inputs;
    const hostFeeds = new Map([...hostInputs].map(([name, tensor]) => [tensor, feedOf(feeds, name)]));
    for (const [tensor, value] of runHostStage(stage, hostFeeds))
      inputs.set(handedOn.get(tensor) ?? tensor, value);
    return inputs;
  };
  const infer = async (inputs: NamedTensors): Promise<Map<string, Tensor>> => {
    const given: Record<string, OnnxTensor> = {};
    for (const [name, tensor] of inputs) given[onnxInputName(name)] = toOnnxTensor(tensor);
    const results = await session.run(given).catch((error: unknown): never => {
      const message = error instanceof Error ? error.message : String(error);
      if (IN_GROUPS.test(message)) {
        throw new UnsupportedModel(['Conv2D (in groups, of images whose channels are open)'], message);
      }
      throw new InvalidFeeds(guardNamed(message) ?? message);
    });
    return new Map(
      signature.outputs.map(({ name, dtype }) => [name, fromOnnxValue(results[onnxOutputName(name)], dtype)]),
    );
  };
  return {
    prepare,
    infer,
    run: async (feeds) => infer(await prepare(feeds)),
    release: () => session.release(),
  };
}

function feedOf(feeds: NamedTensors, name: string): Tensor {
  const feed = feeds.get(name);
  if (feed === undefined) throw new InvalidFeeds(`Input ${name} is missing`);
  return feed;
}
