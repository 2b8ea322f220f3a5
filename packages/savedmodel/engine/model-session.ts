import { runHostStage } from '../host/run-host-stage.ts';
import { onnxInputName, onnxOutputName, operationNamed } from '../onnx/convert-graph.ts';
import { guardNamed } from '../onnx/guard.ts';
import { tensorName, type TensorRef } from '../savedmodel/graph-node.ts';
import {
  InvalidFeeds,
  type NamedTensors,
  type Tensor,
  UnsupportedModel,
} from '../savedmodel/servable-model.ts';
import type { RunnableSignature } from './convert-signature.ts';
import { fromOnnxValue, toOnnxTensor } from './onnx-tensor.ts';
import { InferenceSession, type Tensor as OnnxTensor } from './onnxruntime.ts';

/** One signature, ready to run: `prepare` and then `infer`, or both as `run`. */
export interface ModelSession {
  /** Runs what comes before ONNX, such as the decoding of images; gives ONNX's inputs. @throws {InvalidFeeds} */
  prepare(feeds: NamedTensors): Promise<NamedTensors>;
  /** @throws {InvalidFeeds} if onnxruntime refuses them */
  infer(inputs: NamedTensors): Promise<Map<string, Tensor>>;
  run(feeds: NamedTensors): Promise<Map<string, Tensor>>;
  release(): Promise<void>;
}

/** onnxruntime's message for a filter with fewer channels than its images, which only their sizes reveal. */
const IN_GROUPS = /Input channels C is not equal to kernel channels \* group/;

/**
 * Hands a converted signature to onnxruntime, with one thread: several workers with a thread each do more on shared
 * cores than one pool of spinning threads.
 *
 * @throws {UnsupportedModel} if onnxruntime does not take the graph
 */
export async function openModelSession(converted: RunnableSignature): Promise<ModelSession> {
  const { hostInputs, onnxInputs, before, after, cuts, kept, answers, wanted } = converted;
  const { onnx, hasBranches } = converted;
  const session = onnx === undefined ? undefined : await createSession(onnx, hasBranches);
  const prepare = async (feeds: NamedTensors): Promise<NamedTensors> => {
    const inputs = new Map(onnxInputs.map((name) => [name, feedOf(feeds, name)]));
    if (before.nodes.length === 0) return inputs;
    const hostFeeds = new Map([...hostInputs].map(([name, tensor]) => [tensor, feedOf(feeds, name)]));
    const given = runHostStage(before, hostFeeds, [...cuts.map(({ ref }) => ref), ...kept]);
    for (const { ref, input } of cuts) inputs.set(input, given.get(tensorName(ref)) ?? missing(ref));
    for (const ref of kept) inputs.set(keptName(ref), given.get(tensorName(ref)) ?? missing(ref));
    return inputs;
  };
  const infer = async (inputs: NamedTensors): Promise<Map<string, Tensor>> => {
    const given = new Map<string, Tensor>();
    const results = new Map(inputs);
    for (const ref of kept) {
      const tensor = inputs.get(keptName(ref)) ?? missing(ref);
      results.delete(keptName(ref));
      given.set(tensorName(ref), tensor);
    }
    const computed = session === undefined ? {} : await runSession(session, results);
    for (const { ref, spec } of wanted)
      given.set(tensorName(ref), fromOnnxValue(computed[onnxOutputName(spec.name)], spec.dtype));
    const own = answers.filter(({ isOnHost }) => isOnHost).map(({ ref }) => ref);
    const values = own.length + after.nodes.length === 0 ? given : runHostStage(after, given, own);
    return new Map(
      answers.map(({ spec, ref, isOnHost }) => [
        spec.name,
        isOnHost
          ? (values.get(tensorName(ref)) ?? missing(ref))
          : fromOnnxValue(computed[onnxOutputName(spec.name)], spec.dtype),
      ]),
    );
  };
  return {
    prepare,
    infer,
    run: async (feeds) => infer(await prepare(feeds)),
    release: async () => session?.release(),
  };
}

/** onnxruntime puts a factor into a product of matrices as a float32, also into one of float64. */
const SCALES = 'MatMulScaleFusion';
/**
 * onnxruntime's ConstantFolding replaces a constant `If` with its branch; in the body of a loop or of another branch that mixes up
 * tensors or crashes the process (onnxruntime 1.30).
 */
const FOLDING = 'ConstantFolding';

async function createSession(onnx: Uint8Array | string, hasBranches: boolean): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 4,
    extra: { optimization: { disable_specified_optimizers: hasBranches ? `${FOLDING};${SCALES}` : SCALES } },
  };
  const opening =
    typeof onnx === 'string'
      ? InferenceSession.create(onnx, options)
      : InferenceSession.create(onnx, options);
  return opening.catch((error: unknown): never => {
    const message = error instanceof Error ? error.message : String(error);
    throw new UnsupportedModel([operationNamed(message) ?? 'onnxruntime'], message);
  });
}

async function runSession(session: InferenceSession, inputs: NamedTensors) {
  const given: Record<string, OnnxTensor> = {};
  for (const [name, tensor] of inputs) given[onnxInputName(name)] = toOnnxTensor(tensor);
  return session.run(given).catch((error: unknown): never => {
    const message = error instanceof Error ? error.message : String(error);
    if (IN_GROUPS.test(message))
      throw new UnsupportedModel(['Conv2D (in groups, of images with an open number of channels)'], message);
    throw new InvalidFeeds(guardNamed(message) ?? message);
  });
}

/** Name under which a tensor of the first stage waits for the last one. */
function keptName(ref: TensorRef): string {
  return `kept ${tensorName(ref)}`;
}

function missing(ref: TensorRef): never {
  throw new TypeError(`The host stage gave no ${tensorName(ref)}`);
}

function feedOf(feeds: NamedTensors, name: string): Tensor {
  const feed = feeds.get(name);
  if (feed === undefined) throw new InvalidFeeds(`Input ${name} is missing`);
  return feed;
}
