import type { TensorRef } from '../graph-node.ts';
import { type Draft, floatType, outputOf } from './draft.ts';
import type { DraftGraph } from './draft-graph.ts';
import { isAll, operations, type Rewrite } from './rewrite.ts';
import { keepsShape, mayTradePlaces } from './tensors-alike.ts';

const ADDITIONS = operations('Add AddV2 Sub');
const PRODUCTS = operations('Mul Div');
const COMMUTING = operations('Add AddV2 Mul');
/** float32 and float64. Integers wrap around in any order, and floats of 16 bits TensorFlow leaves in theirs. */
const WIDE: ReadonlySet<number | undefined> = new Set([1, 2]);
const QUOTIENTS = operations('RealDiv Div DivNoNan Xdivy');

/** Rewrites of TensorFlow's constant_folding.cc next to constants, in its order; the first that applies to a node counts. */
export const CONSTANT_REWRITES: readonly Rewrite[] = [
  {
    name: 'neutral constant',
    operations: operations('Add AddV2 BiasAdd Sub Mul RealDiv Div DivNoNan Xdivy'),
    apply: neutral,
  },
  { name: 'division by a constant', operations: operations('RealDiv Div Xdivy'), apply: byReciprocal },
  { name: 'constants together', operations: operations('Add AddV2 Sub Mul Div'), apply: together },
];

/** x + 0, x - 0, x * 1, x / 1 are x; 0 - x is -x; 1 / x is a reciprocal. */
function neutral(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [left, right] = node.inputs;
  const [x, y] = [graph.of(left), graph.of(right)];
  if (left === undefined || right === undefined || x === undefined || y === undefined) return undefined;
  if ((x.value === undefined && y.value === undefined) || graph.moved.has(node)) return undefined;
  const [isProduct, isQuotient] = [node.op === 'Mul', QUOTIENTS.has(node.op)];
  const isSum = !isProduct && !isQuotient && node.op !== 'Sub';
  const keeps = (one: TensorRef, other: TensorRef) =>
    graph.shape(outputOf(node)) !== null && keepsShape(one, other, graph);
  const handOn = (ref: TensorRef) => {
    graph.handOn(node, ref);
    return [];
  };
  if (((isProduct && isAll(x, 1)) || (isSum && isAll(x, 0))) && keeps(right, left)) return handOn(right);
  const turned =
    node.op === 'Sub' && isAll(x, 0) ? 'Neg' : isQuotient && isAll(x, 1) ? 'Reciprocal' : undefined;
  if (turned !== undefined && (turned === 'Neg' || floatType(node) !== undefined) && keeps(right, left)) {
    graph.become(node, turned, [right]);
    return [];
  }
  const isNeutral = isProduct || isQuotient ? isAll(y, 1) : isAll(y, 0);
  return isNeutral && keeps(left, right) ? handOn(left) : undefined;
}

/** x / c is x * (1 / c), with the quotient rounded. */
function byReciprocal(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [left, right] = node.inputs;
  if (left === undefined || right === undefined || floatType(node) === undefined) return undefined;
  if (graph.valueOf(right) === undefined) return undefined;
  const reciprocal = outputOf(graph.add(node, 'recip', 'Reciprocal', [right]));
  if (node.op === 'Xdivy') graph.become(node, 'MulNoNan', [reciprocal, left]);
  else graph.become(node, 'Mul', [left, reciprocal]);
  return [];
}

/**
 * Moves a constant down to another one, so that both fold: c1 ± (c2 ± x) and products alike. It also moves when nothing below is
 * constant, because in a longer sum two constants then end up next to each other.
 */
function together(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [left, right] = node.inputs;
  const [one, other] = [graph.of(left), graph.of(right)];
  if (left === undefined || right === undefined || one === undefined || other === undefined) return undefined;
  const isLeft = one.value !== undefined;
  const inner = isLeft ? other : one;
  if ((!isLeft && other.value === undefined) || inner.value !== undefined) return undefined;
  if ((isLeft ? one : other).waitsFor === inner.name) return undefined;
  const [innerLeft, innerRight] = inner.inputs;
  if (innerLeft === undefined || innerRight === undefined || !graph.isSole(inner)) return undefined;
  const isSum = ADDITIONS.has(node.op);
  if (!(isSum ? ADDITIONS : PRODUCTS).has(inner.op)) return undefined;
  const type = node.attributes.get('T')?.type;
  if (!WIDE.has(type) || inner.attributes.get('T')?.type !== type) return undefined;
  const isInnerLeft = graph.valueOf(innerLeft) !== undefined;
  const isInnerRight = graph.valueOf(innerRight) !== undefined;
  if (isInnerLeft && isInnerRight) return undefined;
  const [c, op] = isLeft ? [left, right] : [right, left];
  const [x, y] = isInnerLeft ? [innerRight, innerLeft] : [innerLeft, innerRight];
  const isOpen = !isInnerLeft && !isInnerRight;
  const isKnown = !graph.moved.has(node) && !graph.moved.has(inner);
  if (isOpen && isKnown && !mayTradePlaces(graph.shape(c), graph.shape(y))) return undefined;
  const [isPlain, isInnerPlain] = [COMMUTING.has(node.op), COMMUTING.has(inner.op)];
  graph.moved.add(node).add(inner);
  if (isPlain && isInnerPlain) {
    graph.become(node, node.op, [x, op]);
    graph.reuse(inner, inner.op, [c, y]);
    return [];
  }
  const [plus, minus] = isSum ? ['Add', 'Sub'] : ['Mul', 'Div'];
  // Whether each of the three is subtracted from the whole, or divides it.
  const isNegated = (isRight: boolean) => (!isInnerPlain && isRight) !== (!isPlain && isLeft);
  const [negC, negX, negY] = [!isPlain && !isLeft, isNegated(isInnerLeft), isNegated(!isInnerLeft)];
  graph.become(node, negX || (negC && negY) ? minus : plus, negX ? [op, x] : [x, op]);
  graph.reuse(inner, negC !== negY ? minus : plus, negC ? [y, c] : [c, y]);
  return [];
}
