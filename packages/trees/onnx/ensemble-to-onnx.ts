import { checkedNodes, linkNodes } from '../checked-nodes.ts';
import type { Split, TreeEnsemble } from '../tree-ensemble.ts';
import { type Attribute, ELEMENT_TYPES, writeOnnx } from './write-onnx.ts';

/**
 * Writes an ensemble as one TreeEnsembleRegressor and its link. Its output is probabilities of the classes, two for a model of yes and no,
 * or one prediction.
 *
 * @throws {Unconvertible} for a damaged tree
 */
export function ensembleToOnnx(ensemble: TreeEnsemble): Uint8Array {
  const { inputs, sums, features, classNames, featureNames } = ensemble;
  const { nodes, constants, output } = linkNodes(ensemble);
  const isCast = inputs !== sums;
  return writeOnnx({
    nodes: [
      ...(isCast
        ? [{ op: 'Cast', inputs: ['features'], output: 'exact', attributes: { to: ELEMENT_TYPES[sums] } }]
        : []),
      {
        op: 'TreeEnsembleRegressor',
        domain: 'ai.onnx.ml',
        inputs: [isCast ? 'exact' : 'features'],
        output: 'sums',
        attributes: treeAttributes(ensemble),
      },
      ...nodes,
    ],
    constants,
    input: { name: 'features', type: inputs, columns: features },
    output,
    metadata: {
      library: ensemble.library,
      ...(classNames.length > 0 && { classes: JSON.stringify(classNames) }),
      ...(featureNames.length > 0 && { columns: JSON.stringify(featureNames) }),
    },
  });
}

/** A node of the operator: where `value <= cut`, it leads to `yes`. */
interface Row {
  readonly tree: number;
  readonly id: number;
  readonly mode: 'BRANCH_LEQ' | 'LEAF';
  readonly feature: number;
  readonly cut: number;
  readonly yes: number;
  readonly no: number;
  /** Whether a missing value leads to `yes`. */
  readonly tracks: boolean;
}

/**
 * Attributes of https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html. Each comparison is `<=`, for which onnxruntime has
 * its fastest loop. Cuts of a split that lead to the same side share the node there, which onnxruntime allows for true branches.
 */
function treeAttributes(ensemble: TreeEnsemble): Readonly<Record<string, Attribute>> {
  const rows: Row[] = [];
  const leaves: {
    readonly tree: number;
    readonly id: number;
    readonly output: number;
    readonly weight: number;
  }[] = [];
  for (const [tree, all] of ensemble.trees.entries()) {
    let free = all.length;
    for (const [id, node] of checkedNodes(all, tree, ensemble))
      if ('adds' in node) {
        rows.push({ tree, id, mode: 'LEAF', feature: 0, cut: 0, yes: 0, no: 0, tracks: false });
        for (const add of node.adds) leaves.push({ tree, id, ...add });
      } else {
        const added = splitRows(node, { tree, id, free });
        rows.push(...added);
        free += added.length - 1;
      }
  }
  const numbers = (values: readonly number[]): Float32Array | Float64Array =>
    ensemble.sums === 'float32' ? Float32Array.from(values) : Float64Array.from(values);
  return {
    n_targets: ensemble.outputs,
    aggregate_function: 'SUM',
    post_transform: 'NONE',
    nodes_treeids: rows.map(({ tree }) => tree),
    nodes_nodeids: rows.map(({ id }) => id),
    nodes_featureids: rows.map(({ feature }) => feature),
    nodes_modes: rows.map(({ mode }) => mode),
    nodes_truenodeids: rows.map(({ yes }) => yes),
    nodes_falsenodeids: rows.map(({ no }) => no),
    nodes_missing_value_tracks_true: rows.map(({ tracks }) => Number(tracks)),
    nodes_values_as_tensor: numbers(rows.map(({ cut }) => cut)),
    target_treeids: leaves.map(({ tree }) => tree),
    target_nodeids: leaves.map(({ id }) => id),
    target_ids: leaves.map(({ output }) => output),
    target_weights_as_tensor: numbers(leaves.map(({ weight }) => weight)),
    base_values_as_tensor: numbers(ensemble.base),
  };
}

/** One row a cut; rows after the first have ids from `free` on. */
function splitRows(split: Split, { tree, id, free }: { tree: number; id: number; free: number }): Row[] {
  const { feature, cuts, above, missing } = split;
  // A missing value is above all cuts, unless one of them leads it elsewhere.
  const tracked = above === missing ? -1 : cuts.findIndex(({ to }) => to === missing);
  return cuts.map(({ upTo, to }, at) => ({
    tree,
    id: at === 0 ? id : free + at - 1,
    mode: 'BRANCH_LEQ',
    feature,
    cut: upTo,
    yes: split[to],
    no: at === cuts.length - 1 ? split[above] : free + at,
    tracks: at === tracked,
  }));
}
