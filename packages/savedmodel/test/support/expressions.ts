import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Asked, type GraphView, runningGraph } from '../../engine/running-graph.ts';
import { flattenGraph } from '../../savedmodel/flatten-functions.ts';
import type { FrozenGraph } from '../../savedmodel/frozen-graph.ts';
import type { TensorRef } from '../../savedmodel/graph-node.ts';
import { restoredVariables } from '../../savedmodel/restored-variables.ts';
import { readServingGraph } from '../../savedmodel/saved-model-proto.ts';

/** A small graph, and what a session of TensorFlow runs in its place, as an expression for each output. */
export interface Expression {
  readonly name: string;
  readonly label: string;
  readonly runs: readonly string[];
}

/** Operations that are one under several names, and whose inputs stand in any order. */
const NAMES: Readonly<Record<string, string>> = { AddV2: 'Add', Inv: 'Reciprocal' };
const COMMUTING = new Set(['Add', 'AddN', 'Mul']);

function expressionOf(graph: FrozenGraph, { node: name, index }: TensorRef): string {
  const { op, inputs, value } = graph.get(name)!;
  if (value !== undefined) return Array.from(value.data.slice(0, 4), numeral).join(' ');
  if (op === 'Placeholder') return 'x';
  const given = inputs.map((input) => expressionOf(graph, input));
  if (op === 'Identity' || op === 'StopGradient') return given[0]!;
  const known = NAMES[op] ?? op;
  const ordered = COMMUTING.has(known) ? given.sort() : given;
  return `${known}${index === 0 ? '' : `:${index}`}(${ordered.join(', ')})`;
}

/** Nine digits, as by C's %.9g. */
function numeral(value: unknown): string {
  if (typeof value !== 'number') return String(value);
  const isTiny = value !== 0 && Math.abs(value) < 1e-4;
  const [digits = '', power] = (isTiny ? value.toExponential(8) : value.toPrecision(9)).split('e');
  const short = digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits;
  return power === undefined ? short : `${short}e${power.replace(/^([+-])(\d)$/, '$10$2')}`;
}

/** Expressions from a file that lab/operations/expressions.py wrote, with the graphs that run here. */
export function readExpressions(file: string): {
  readonly expressions: readonly Expression[];
  runsHere(name: string): string[];
} {
  const bytes = gunzipSync(readFileSync(file));
  const textSize = bytes.readUInt32LE(0);
  const { cases }: { cases: readonly Expression[] } = JSON.parse(bytes.subarray(8, 8 + textSize).toString());
  const meta = readServingGraph(bytes.subarray(8 + textSize));
  const library = { functions: meta.graph.functions };
  const graph = flattenGraph(meta.graph.nodes, library, new Set());
  const view: GraphView = {
    graph,
    library,
    calls: new Set(),
    variables: restoredVariables(graph, undefined),
    readTable: () => {
      throw new Error('no table');
    },
  };
  return {
    expressions: cases,
    runsHere(name) {
      const definition = meta.signatures.get(name)!;
      const specs = (infos: typeof definition.inputs) =>
        [...infos].map(([one, { shape }]) => ({ name: one, dtype: 'float32' as const, shape }));
      const { inputs, outputs, methodName } = definition;
      const signature = { name, methodName, inputs: specs(inputs), outputs: specs(outputs) };
      const asked: Asked = { signature, definition };
      const optimized = runningGraph(asked, view, []).graph;
      return [...outputs.values()].map(({ tensor }) =>
        expressionOf(optimized, { node: tensor.replace(/:0$/, ''), index: 0 }),
      );
    },
  };
}
