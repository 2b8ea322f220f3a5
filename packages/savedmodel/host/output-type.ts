import { resolveElementType } from '../savedmodel/element-type.ts';
import { type GraphNode, typeAttr } from '../savedmodel/graph-node.ts';
import { type DType, UnsupportedModel } from '../savedmodel/servable-model.ts';
import { DECODERS } from './decoder.ts';
import { exampleTypes, isExampleParser } from './example/parse-example.ts';

/** Types that no attribute names. */
const FIXED: Readonly<Record<string, readonly DType[]>> = {
  StringSplitV2: ['int64', 'string', 'int64'],
  StringToHashBucketFast: ['int64'],
  StringToHashBucketStrong: ['int64'],
  StringLength: ['int32'],
  LookupTableSizeV2: ['int64'],
  StaticRegexFullMatch: ['bool'],
  RegexFullMatch: ['bool'],
  DecodeBase64: ['string'],
  EncodeBase64: ['string'],
  Where: ['int64'],
  SparseReshape: ['int64', 'int64'],
  SparseFillEmptyRows: ['int64', 'float32', 'bool', 'int64'],
};
const COMPARISONS: ReadonlySet<string> = new Set(
  'Equal NotEqual Less LessEqual Greater GreaterEqual LogicalNot LogicalAnd LogicalOr'.split(' '),
);
/** Attributes that name an output's type, with the type that an absent one stands for; the first that fits counts. */
const ATTRIBUTES = 'Tout OUT_TYPE DstT output_type out_type element_dtype dtype Tvalues Tparams T'.split(' ');
const DEFAULTS: Readonly<Record<string, DType>> = {
  ArgMax: 'int64',
  ArgMin: 'int64',
  Shape: 'int32',
  Size: 'int32',
  StringToNumber: 'float32',
};

/** Element type of a node's output. @throws {UnsupportedModel} if nothing says it */
export function outputType(node: GraphNode, index: number): DType {
  if (node.op === 'SparseFillEmptyRows' && index === 1) return typeAttr(node, 'T');
  if (node.op === 'Unique') return index === 0 ? typeAttr(node, 'T') : typeAttr(node, 'out_idx', 'int32');
  const fixed = FIXED[node.op]?.[index];
  if (fixed !== undefined) return fixed;
  if (COMPARISONS.has(node.op)) return 'bool';
  const parsed = isExampleParser(node) ? exampleTypes(node)[index] : undefined;
  if (parsed !== undefined) return parsed;
  if (DECODERS.has(node.op)) return typeAttr(node, 'dtype', 'uint8');
  if (node.op === 'StringNGrams') return index === 0 ? 'string' : typeAttr(node, 'Tsplits', 'int64');
  if (node.op === 'TopKV2' && index === 1) return typeAttr(node, 'index_type', 'int32');
  const absent = DEFAULTS[node.op];
  if (absent !== undefined && !ATTRIBUTES.slice(0, 7).some((name) => node.attributes.has(name)))
    return absent;
  for (const name of ATTRIBUTES) {
    const attribute = node.attributes.get(name);
    if (attribute?.type !== undefined) return typeAttr(node, name);
    const listed = attribute?.list?.types[index];
    if (listed !== undefined) return resolveElementType(listed, node.name);
  }
  throw new UnsupportedModel([`${node.op} (of an unknown type)`], `node ${node.name}`);
}
