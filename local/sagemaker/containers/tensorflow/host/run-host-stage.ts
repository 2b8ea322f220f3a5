import { InvalidFeeds, type Tensor } from '../engine/servable-model.ts';
import { decodeImage } from '../image/decode-image.ts';
import { tensorName, unsupported, type GraphNode } from '../savedmodel/graph-node.ts';
import { DECODERS, readDecoding } from './decoder.ts';
import { evaluate, valueOf } from './evaluate.ts';
import { hostInput, type HostOperation } from './host-operation.ts';
import type { HostStage } from './host-stage.ts';
import { fromHostTensor, hostTensorOf, newHostTensor, toHostTensor, type HostTensor } from './host-tensor.ts';
import type { MapLoop } from './image-loop.ts';

type Values = Map<string, HostTensor>;

/** A host stage made ready: its constants are converted once, not for every image. */
export interface PreparedStage extends HostStage {
  readonly constants: ReadonlyMap<string, HostTensor>;
}

/** @throws {UnsupportedModel} if a constant is of a type that the host does not compute with */
export function prepareHostStage(stage: HostStage): PreparedStage {
  const nodes = [...stage.nodes, ...[...stage.loops.values()].flatMap(({ body }) => body)];
  const constants = new Map<string, HostTensor>();
  for (const { name, value } of nodes)
    if (value !== undefined) constants.set(`${name}:0`, toHostTensor(value));
  return { ...stage, constants };
}

/**
 * Runs the stage on a signature's feeds, by the tensor's name in the graph; gives its cuts, likewise.
 *
 * @throws {InvalidFeeds} if an image cannot be decoded, or images differ in size where the model stacks them
 */
export function runHostStage(stage: PreparedStage, feeds: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
  const run = new HostRun(stage);
  const values: Values = new Map();
  for (const [name, tensor] of feeds) values.set(name, run.hold(tensor));
  for (const node of stage.nodes) {
    const name = tensorName({ node: node.name, index: 0 });
    if (values.has(name)) continue;
    const loop = stage.loops.get(node.name);
    values.set(name, loop === undefined ? run.evaluate(node, values) : run.map(loop, values));
  }
  return new Map(stage.cuts.map(({ ref }) => [tensorName(ref), fromHostTensor(valueOf(values, ref))]));
}

class HostRun {
  readonly #stage: PreparedStage;
  readonly #strings: Uint8Array[] = [];

  constructor(stage: PreparedStage) {
    this.#stage = stage;
  }

  hold(tensor: Tensor): HostTensor {
    if (tensor.dtype !== 'string') return toHostTensor(tensor);
    const numbers = tensor.data.map((bytes) => this.#strings.push(bytes) - 1);
    return hostTensorOf('string', tensor.shape, numbers);
  }

  evaluate(node: GraphNode, values: ReadonlyMap<string, HostTensor>): HostTensor {
    const constant = this.#stage.constants.get(`${node.name}:0`);
    if (constant !== undefined) return constant;
    const inputs = node.inputs.map((ref) => valueOf(values, ref));
    if (DECODERS.has(node.op)) return this.#decode(node, hostInput(inputs, 0, node));
    if (node.op === 'DecodeBase64') return this.#decodeBase64(inputs, node);
    return evaluate(node, inputs);
  }

  /** Runs the loop's body once an element, and stacks the results. */
  map(loop: MapLoop, outer: Values): HostTensor {
    const captured = loop.captured.map(
      ({ outer: ref, inner }) => [`${inner}:0`, valueOf(outer, ref)] as const,
    );
    const sources = loop.elements.map(({ stacked, element }) => ({
      element,
      rows: rowsOf(valueOf(outer, stacked)),
    }));
    const count = sources[0]?.rows.length ?? 0;
    const results = Array.from({ length: count }, (_, index) => {
      const values: Values = new Map(captured);
      for (const { element, rows } of sources) {
        const row = rows[index];
        if (row === undefined) throw new InvalidFeeds('The inputs differ in number');
        values.set(`${element}:0`, row);
      }
      return this.#runBody(loop, values);
    });
    return stack(results);
  }

  #runBody(loop: MapLoop, values: Values): HostTensor {
    for (const node of loop.body) values.set(`${node.name}:0`, this.evaluate(node, values));
    return valueOf(values, loop.result);
  }

  #decode(node: GraphNode, input: HostTensor): HostTensor {
    const file = this.#strings[input.data[0] ?? -1];
    if (file === undefined || input.data.length !== 1)
      throw new InvalidFeeds('contents must be scalar, got shape [' + input.shape.join(',') + ']');
    const decoding = readDecoding(node);
    if (typeof decoding === 'string') throw unsupported(node, decoding);
    try {
      return decodeImage(file, decoding);
    } catch (error) {
      throw new InvalidFeeds(`${node.op}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  readonly #decodeBase64: HostOperation = (inputs, node) => {
    const { shape, data } = hostInput(inputs, 0, node);
    const decoded = Array.from(data, (index) =>
      Buffer.from(Buffer.from(this.#strings[index] ?? []).toString(), 'base64url'),
    );
    return this.hold({ dtype: 'string', shape, data: decoded });
  };
}

function rowsOf({ dtype, shape, data }: HostTensor): HostTensor[] {
  const [count = 0, ...rest] = shape;
  const size = count === 0 ? 0 : data.length / count;
  return Array.from({ length: count }, (_, index) => ({
    dtype,
    shape: rest,
    data: data.subarray(index * size, (index + 1) * size),
  }));
}

function stack(parts: readonly HostTensor[]): HostTensor {
  const first = parts[0];
  if (first === undefined) throw new InvalidFeeds('The request has no instances');
  const result = newHostTensor(first.dtype, [parts.length, ...first.shape]);
  parts.forEach((part, index) => {
    if (part.shape.join() !== first.shape.join()) {
      throw new InvalidFeeds(
        `Images of shapes [${first.shape.join(', ')}] and [${part.shape.join(', ')}] in one request`,
      );
    }
    result.data.set(part.data, index * first.data.length);
  });
  return result;
}
