import type { Attributes, AttrValue } from './graph-def.ts';
import type { GraphNode } from './graph-node.ts';
import definitions from './operation-definitions.json' with { type: 'json' };
import { UnsupportedModel } from './servable-model.ts';

/** TensorFlow's registry entry of an operation; scripts/write-operation-definitions.py writes it. */
interface Definition {
  /** `name`, or `name*N` for as many tensors as the attribute N says or has types. */
  readonly outputs: readonly string[];
  /** Attributes that the inputs determine: their types and number. */
  readonly stated: readonly string[];
  /** The others, with the value that stands for an absent one. */
  readonly attributes: Readonly<Record<string, { readonly absent?: unknown }>>;
}

const DEFINITIONS: ReadonlyMap<string, Definition> = new Map<string, Definition>(Object.entries(definitions));

/**
 * Attributes that change no answer: hints for speed and gradients, names, statements about shapes, texts of errors. Where
 * `incompatible_shape_error` is false, as of Python's `==`, shapes that do not fit are refused here, and unequal in TensorFlow.
 */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'container debug_name element_dtype exponential_avg_factor frame_name grad_a grad_b grad_x grad_y ' +
    'identical_element_shapes incompatible_shape_error ' +
    'is_constant left_pad message num_elements num_sparse output_shapes parallel_iterations right_pad shared_name ' +
    'sparse_gradient use_cudnn_on_gpu use_node_name_sharing validate_indices'
  ).split(' '),
);

/** Whether the operation is one of those that are converted or run on the host. */
export function isDefined(op: string): boolean {
  return DEFINITIONS.has(op);
}

/**
 * Place of an output that a function's body names by its argument.
 *
 * @param offset its place among the tensors of the argument
 * @throws {UnsupportedModel} if TensorFlow 2.21's operation has no such output
 */
export function placeOfOutput(
  node: { readonly name: string; readonly op: string; readonly attributes: Attributes },
  argument: string,
  offset: number,
): number {
  const { outputs } = DEFINITIONS.get(node.op) ?? { outputs: [] };
  let place = offset;
  for (const output of outputs) {
    const [name, count = ''] = output.split('*');
    if (name === argument) return place;
    const value = node.attributes.get(count);
    place += count === '' ? 1 : (value?.int ?? value?.list?.types.length ?? 1);
  }
  throw new UnsupportedModel([`${node.op} (output ${argument})`], `node ${node.name}`);
}

/** Attributes of a node that remember which of them have been asked for. */
export class WatchedAttributes extends Map<string, AttrValue> {
  readonly asked = new Set<string>();

  override get(name: string): AttrValue | undefined {
    this.asked.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.asked.add(name);
    return super.has(name);
  }
}

/** Nodes already checked to have only known attributes. */
const READ = new WeakSet<GraphNode>();

/**
 * Converts or computes a node.
 *
 * @throws {UnsupportedModel} with the names of operation and attribute, if an attribute decides what the node computes and `run` has not
 * asked for it
 */
export function reading<T>(node: GraphNode, run: (node: GraphNode) => T): T {
  if (READ.has(node)) return run(node);
  const attributes = new WatchedAttributes(node.attributes);
  const result = run({ ...node, attributes });
  refuseUnread(node, attributes);
  READ.add(node);
  return result;
}

function refuseUnread({ name, op }: GraphNode, attributes: WatchedAttributes): void {
  const definition = DEFINITIONS.get(op);
  if (definition === undefined) return;
  for (const [attribute, value] of attributes) {
    if (attributes.asked.has(attribute) || HARMLESS.has(attribute) || attribute.startsWith('_')) continue;
    if (definition.stated.includes(attribute)) continue;
    const given = JSON.stringify(plain(value));
    if (given !== JSON.stringify(definition.attributes[attribute]?.absent))
      throw new UnsupportedModel([`${op} (attribute ${attribute}: ${given})`], `node ${name}`);
  }
}

/** Whether attributes of two nodes with the same inputs say the same: an absent one has its default, as files leave out. */
export function areAlike(op: string, one: Attributes, other: Attributes): boolean {
  const { stated = [], attributes = {} } = DEFINITIONS.get(op) ?? {};
  const valueIn = (all: Attributes, name: string) => {
    const value = all.get(name);
    return JSON.stringify(value === undefined ? attributes[name]?.absent : plain(value));
  };
  return [...new Set([...one.keys(), ...other.keys()])].every(
    (name) => name.startsWith('_') || stated.includes(name) || valueIn(one, name) === valueIn(other, name),
  );
}

/** The value in the form of the definitions: a type is its number. */
function plain({ text, int, float, bool, type, shape, list, functionName }: AttrValue): unknown {
  if (list !== undefined)
    return [
      list.texts.map((one) => Buffer.from(one).toString()),
      list.ints,
      list.floats,
      list.types,
      list.shapes,
    ].flat();
  return text === undefined
    ? (int ?? float ?? bool ?? type ?? functionName ?? shape)
    : Buffer.from(text).toString();
}
