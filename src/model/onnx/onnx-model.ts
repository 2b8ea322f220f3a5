/** Size of a dimension: a number, the name of an open one, or null for an open one without a name. */
export type Dimension = number | string | null;

/** An input or output of a graph. */
export interface OnnxValue {
  readonly name: string;
  readonly kind: 'tensor' | 'sequence' | 'map' | 'optional' | 'sparse tensor' | 'unknown';
  /** Element type of a tensor such as `float32`; for the rest a description such as `sequence of map from int64 to float32`. */
  readonly type: string;
  /** Null is any rank. */
  readonly shape: readonly Dimension[] | null;
}

/** Data of a tensor in a file next to the model. */
export interface ExternalData {
  readonly tensor: string;
  /** Path from the model's folder, as the model writes it. */
  readonly location: string;
}

/** Facts about an ONNX model, without its weights. */
export interface OnnxModel {
  readonly sizeBytes: number;
  readonly irVersion: number;
  /** Program that wrote it, such as `pytorch 2.13.0`; empty if it does not say. */
  readonly producer: string;
  /** Versions of the operator sets by domain; the standard one is the empty text. */
  readonly opsets: ReadonlyMap<string, number>;
  /** Inputs without those that an initializer gives a default. */
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** Names of the operators that its nodes use, by domain, sorted; functions of the model itself are left out. */
  readonly operators: ReadonlyMap<string, readonly string[]>;
  readonly nodes: number;
  readonly external: readonly ExternalData[];
  /** Class labels in the order of the scores, if a classifier among the nodes has them. */
  readonly classes: readonly string[] | null;
  /** Tensors with another number of bytes than their shape needs, described in words. */
  readonly contradictions: readonly string[];
}

/** A model, or why the bytes aren't one. */
export type ReadOnnx = OnnxModel | { readonly reason: string };
