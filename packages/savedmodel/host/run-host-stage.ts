import {
  type GraphNode,
  inputOf,
  tensorName,
  type TensorRef,
  unsupported,
} from '../savedmodel/graph-node.ts';
import type { ReadTable } from '../savedmodel/initialized-tables.ts';
import { InvalidFeeds, type Tensor } from '../savedmodel/servable-model.ts';
import { decodeImage } from './decode-image.ts';
import { DECODERS, readDecoding } from './decoder.ts';
import { evaluate, valueOf } from './evaluate.ts';
import { hostInput } from './host-operation.ts';
import type { HostStage } from './host-stage.ts';
import {
  asList,
  fromHostTensor,
  type HostTensor,
  hostTensorOf,
  isExactOnHost,
  newHostTensor,
  toHostTensor,
} from './host-tensor.ts';
import type { MapLoop } from './image-loop.ts';
import { type LookupTable, tableOf } from './text/lookup-table.ts';
import { textScope } from './text/text-operation.ts';
import { TABLES, textOperation } from './text/text-operations.ts';
import { Texts } from './text/texts.ts';

type Values = Map<string, HostTensor>;

/** A host stage made ready: its constants and tables are converted once, not for every request. */
export interface PreparedStage extends HostStage {
  readonly constants: ReadonlyMap<string, HostTensor>;
  /** The strings of the constants. */
  readonly strings: readonly Uint8Array[];
  /** Tables by the names of their handles. */
  readonly tables: ReadonlyMap<string, LookupTable>;
}

/** @throws {UnsupportedModel} if a constant is of a type that the host does not compute with, or a table cannot be filled */
export function prepareHostStage(stage: HostStage, readTable: ReadTable): PreparedStage {
  const nodes = [...stage.nodes, ...[...stage.loops.values()].flatMap(({ body }) => body)];
  const constants = new Map<string, HostTensor>();
  const strings: Uint8Array[] = [];
  const tables = new Map<string, LookupTable>();
  for (const { name, op, value } of nodes) {
    if (value !== undefined) constants.set(`${name}:0`, hold(value, strings));
    else if (TABLES.has(op)) {
      const { keys, values } = readTable({ node: name, index: 0 });
      tables.set(name, tableOf(keys, values, name));
      constants.set(`${name}:0`, hostTensorOf('int32', [], [0]));
    }
  }
  return { ...stage, constants, strings, tables };
}

function hold(tensor: Tensor, strings: Uint8Array[]): HostTensor {
  if (tensor.dtype !== 'string') return toHostTensor(tensor);
  const numbers = tensor.data.map((bytes) => strings.push(bytes) - 1);
  return hostTensorOf('string', tensor.shape, numbers);
}

/**
 * Runs the stage on tensors by their names in the graph; gives those that are wanted, likewise.
 *
 * @throws {InvalidFeeds} if an image cannot be decoded, or images differ in size where the model stacks them
 */
export function runHostStage(
  stage: PreparedStage,
  feeds: ReadonlyMap<string, Tensor>,
  wanted: readonly TensorRef[],
): Map<string, Tensor> {
  const run = new HostRun(stage);
  const values: Values = new Map();
  for (const [name, tensor] of feeds) values.set(name, run.hold(tensor));
  for (const node of stage.nodes) {
    if (values.has(tensorName({ node: node.name, index: 0 }))) continue;
    const loop = stage.loops.get(node.name);
    const results = loop === undefined ? run.evaluate(node, values) : run.map(loop, values);
    asList(results).forEach((result, index) => values.set(tensorName({ node: node.name, index }), result));
  }
  return new Map(wanted.map((ref) => [tensorName(ref), run.release(valueOf(values, ref))]));
}

class HostRun {
  readonly #stage: PreparedStage;
  readonly #texts: Texts;

  constructor(stage: PreparedStage) {
    this.#stage = stage;
    this.#texts = new Texts(stage.strings);
  }

  hold(tensor: Tensor): HostTensor {
    if (tensor.dtype === 'string') return this.#texts.hold(tensor.shape, tensor.data);
    if (!isExactOnHost(tensor)) throw new InvalidFeeds('The host computes with integers up to 2^53 only');
    return toHostTensor(tensor);
  }

  release(tensor: HostTensor): Tensor {
    if (tensor.dtype !== 'string') return fromHostTensor(tensor);
    return { dtype: 'string', shape: tensor.shape, data: this.#texts.of(tensor) };
  }

  evaluate(node: GraphNode, values: ReadonlyMap<string, HostTensor>): HostTensor | readonly HostTensor[] {
    const constant = this.#stage.constants.get(`${node.name}:0`);
    if (constant !== undefined) return constant;
    const inputs = node.inputs.map((ref) => valueOf(values, ref));
    if (DECODERS.has(node.op)) return this.#decode(node, hostInput(inputs, 0, node));
    const operation = textOperation(node);
    if (operation === undefined) return evaluate(node, inputs);
    return operation(textScope(node, inputs, this.#texts, () => this.#tableOf(node)));
  }

  #tableOf(node: GraphNode): LookupTable {
    const table = this.#stage.tables.get(inputOf(node, 0).node);
    if (table === undefined) throw unsupported(node, 'of a table that is chosen while the graph runs');
    return table;
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
    for (const node of loop.body) {
      asList(this.evaluate(node, values)).forEach((result, index) =>
        values.set(tensorName({ node: node.name, index }), result),
      );
    }
    return valueOf(values, loop.result);
  }

  #decode(node: GraphNode, input: HostTensor): HostTensor {
    if (input.data.length !== 1)
      throw new InvalidFeeds('contents must be scalar, got shape [' + input.shape.join(',') + ']');
    const decoding = readDecoding(node);
    if (typeof decoding === 'string') throw unsupported(node, decoding);
    try {
      return decodeImage(this.#texts.at(input.data[0] ?? -1), decoding);
    } catch (error) {
      throw new InvalidFeeds(`${node.op}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
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
    if (part.shape.join() !== first.shape.join())
      throw new InvalidFeeds(
        `Images of shapes [${first.shape.join(', ')}] and [${part.shape.join(', ')}] in one request`,
      );
    result.data.set(part.data, index * first.data.length);
  });
  return result;
}
