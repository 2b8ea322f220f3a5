import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FlatGraph } from './flatten-functions.ts';
import {
  type GraphNode,
  inputOf,
  intAttr,
  tensorName,
  type TensorRef,
  textAttr,
  typeAttr,
} from './graph-node.ts';
import { skipIdentities, variableId } from './restored-variables.ts';
import { BrokenModel, type Tensor, UnsupportedModel } from './servable-model.ts';

/** Content of a table once TensorFlow Serving has run the graph's initializers. */
interface TableContent {
  readonly keys: Tensor;
  readonly values: Tensor;
}

/** Gives a table's content by its handle. @throws {BrokenModel} {UnsupportedModel} */
export type ReadTable = (handle: TensorRef) => TableContent;

const FROM_TENSORS: ReadonlySet<string> = new Set([
  'LookupTableImportV2',
  'LookupTableImport',
  'InitializeTableV2',
  'InitializeTable',
]);
const FROM_FILE: ReadonlySet<string> = new Set([
  'InitializeTableFromTextFileV2',
  'InitializeTableFromTextFile',
]);

/**
 * Pairs each table with the operation of the graph that fills it, from constants, a checkpoint, or a file of the model's.
 *
 * @param assets tensor that holds a file's name → the file below `assetsDir`
 * @param constantOf the value of a tensor that no request changes
 */
export function initializedTables(
  graph: FlatGraph,
  assets: ReadonlyMap<string, string>,
  assetsDir: string,
  constantOf: (ref: TensorRef) => Tensor | undefined,
): ReadTable {
  const filledWith = (node: GraphNode, index: number): Tensor => {
    const constant = constantOf(inputOf(node, index));
    if (constant !== undefined) return constant;
    const source = graph.nodes.get(skipIdentities(graph, inputOf(node, index)).node);
    throw new UnsupportedModel([`${source?.op ?? 'table'} (that fills a table)`], `table ${node.name}`);
  };
  const initializers = new Map<string, GraphNode>();
  /** Variables that hold a file's name. */
  const named = new Map<string, string>();
  for (const node of graph.nodes.values()) {
    const file = node.op === 'AssignVariableOp' ? assets.get(sourceOf(graph, inputOf(node, 1))) : undefined;
    if (file !== undefined) named.set(variableId(graph, inputOf(node, 0)), file);
    if (FROM_TENSORS.has(node.op) || FROM_FILE.has(node.op))
      initializers.set(variableId(graph, inputOf(node, 0)), node);
  }
  const nameInVariable = (ref: TensorRef): string | undefined => {
    const read = graph.nodes.get(skipIdentities(graph, ref).node);
    return read?.op === 'ReadVariableOp' ? named.get(variableId(graph, inputOf(read, 0))) : undefined;
  };
  return (handle) => {
    const node = initializers.get(variableId(graph, handle));
    const table = graph.nodes.get(skipIdentities(graph, handle).node);
    if (node === undefined || table === undefined)
      throw new UnsupportedModel([`${table?.op ?? 'table'} (that nothing in the model fills)`], handle.node);
    if (FROM_TENSORS.has(node.op)) return { keys: filledWith(node, 1), values: filledWith(node, 2) };
    const name = assets.get(sourceOf(graph, inputOf(node, 1))) ?? nameInVariable(inputOf(node, 1));
    if (name === undefined) throw new BrokenModel(`${node.name}: its file is not one of the model's assets`);
    const file = join(assetsDir, basename(name));
    if (!existsSync(file)) throw new BrokenModel(`The model has no file assets/${basename(name)}`);
    return readTextFile(readFileSync(file), node, table);
  };
}

function sourceOf(graph: FlatGraph, ref: TensorRef): string {
  return tensorName(skipIdentities(graph, ref));
}

const WHOLE_LINE = -2;
const LINE_NUMBER = -1;

/** One line an entry. https://www.tensorflow.org/api_docs/python/tf/lookup/TextFileInitializer */
function readTextFile(bytes: Buffer, node: GraphNode, table: GraphNode): TableContent {
  const text = bytes.toString('latin1');
  const all = (text.endsWith('\n') ? text.slice(0, -1) : text)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const limit = intAttr(node, 'vocab_size', -1);
  const lines = all.slice(intAttr(node, 'offset'), limit < 0 ? undefined : intAttr(node, 'offset') + limit);
  const delimiter = textAttr(node, 'delimiter', '\t');
  const column = (index: number, type: string): Tensor => {
    const cells = lines.map((line, number) => {
      if (index === LINE_NUMBER) return String(number);
      return index === WHOLE_LINE ? line : (line.split(delimiter)[index] ?? '');
    });
    return columnOf(cells, typeAttr(table, type), node);
  };
  return {
    keys: column(intAttr(node, 'key_index', WHOLE_LINE), 'key_dtype'),
    values: column(intAttr(node, 'value_index', LINE_NUMBER), 'value_dtype'),
  };
}

function columnOf(cells: readonly string[], dtype: Tensor['dtype'], node: GraphNode): Tensor {
  const shape = [cells.length];
  if (dtype === 'string') return { dtype, shape, data: cells.map((cell) => Buffer.from(cell, 'latin1')) };
  if (dtype !== 'int64') throw new UnsupportedModel([`${node.op} (${dtype})`], `node ${node.name}`);
  const bad = cells.find((cell) => !/^-?\d{1,18}$/.test(cell));
  if (bad !== undefined) throw new BrokenModel(`${node.name}: "${bad}" is not an integer`);
  return { dtype, shape, data: BigInt64Array.from(cells, BigInt) };
}
