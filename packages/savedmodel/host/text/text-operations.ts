import type { GraphNode } from '../../savedmodel/graph-node.ts';
import { BETWEEN_TEXTS, HOST_ASSERTIONS } from '../beside-texts.ts';
import { CSV } from '../example/decode-csv.ts';
import { RAW } from '../example/decode-raw.ts';
import { EXAMPLES } from '../example/parse-example.ts';
import { SPARSE } from '../sparse-rows.ts';
import { LOOKUPS } from './lookups.ts';
import { BESIDE_TEXTS, RAGGED } from './ragged.ts';
import { PATTERNS } from './regex.ts';
import { SPLITS } from './split.ts';
import { OF_STRINGS, STRINGS } from './strings.ts';
import type { TextOperation } from './text-operation.ts';

/** `tensorflow.DT_STRING` */
const STRING = 7;

const ALWAYS: ReadonlyMap<string, TextOperation> = new Map(
  Object.entries({
    ...STRINGS,
    ...PATTERNS,
    ...SPLITS,
    ...LOOKUPS,
    ...RAGGED,
    ...EXAMPLES,
    ...RAW,
    ...CSV,
    ...SPARSE,
  }),
);
const ONLY: ReadonlyMap<string, TextOperation> = new Map(Object.entries(OF_STRINGS));
const BESIDE: ReadonlyMap<string, TextOperation> = new Map(
  Object.entries({ ...BESIDE_TEXTS, ...BETWEEN_TEXTS, ...HOST_ASSERTIONS }),
);

/** Operations on strings, tables and ragged rows, by name. */
export const TEXT_OPERATIONS: readonly string[] = [...ALWAYS.keys(), ...ONLY.keys()].sort();

/** Numeric operations that the host has for places between texts, by name. */
export const OPERATIONS_BESIDE_TEXTS: readonly string[] = [...BESIDE.keys()];

/** Operations that only move elements, and so move strings too. */
const MOVES: ReadonlySet<string> = new Set(
  (
    'Identity StopGradient Reshape Squeeze ExpandDims Shape Pack ConcatV2 GatherV2 Transpose Fill BroadcastTo StridedSlice ' +
    'Slice SelectV2 Size EnsureShape'
  ).split(' '),
);

/** Operations from which a table's handle comes. */
export const TABLES: ReadonlySet<string> = new Set(['HashTable', 'HashTableV2', 'MutableHashTableV2']);

/** Whether a node works on strings, ragged rows or tables, which ONNX doesn't have. */
export function isOnTexts(node: GraphNode): boolean {
  if (ALWAYS.has(node.op) || TABLES.has(node.op)) return true;
  return [...node.attributes.values()].some(
    ({ type, list }) => type === STRING || list?.types.includes(STRING),
  );
}

/** Between texts, the host computes sums and extremes of integers; the network computes the floats'. */
function isInteger(node: GraphNode): boolean {
  return !OF_INTEGERS.has(node.op) || INTEGERS.has(node.attributes.get('T')?.type ?? 0);
}

const OF_INTEGERS: ReadonlySet<string> = new Set(['Max', 'Cumsum']);
/** `tensorflow.DT_INT32`, `tensorflow.DT_INT64` */
const INTEGERS: ReadonlySet<number> = new Set([3, 9]);

/** The operation of a node on the host, if it is one that only texts need. */
export function textOperation(node: GraphNode): TextOperation | undefined {
  const always = ALWAYS.get(node.op);
  if (always !== undefined) return always;
  const own = isOnTexts(node) ? ONLY.get(node.op) : undefined;
  return own ?? (isInteger(node) ? BESIDE.get(node.op) : undefined);
}

/** Whether the host's operation on numbers is right for the numbers of strings. */
export function movesStrings(node: GraphNode): boolean {
  return MOVES.has(node.op);
}
