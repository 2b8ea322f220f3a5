import type { Converter } from './conversion.ts';
import type { ShapeRule } from './known-tensors.ts';

/** One operation: its converter, and the rule for the shapes of its outputs. */
export type Operation = readonly [convert: Converter, shape: ShapeRule];

/** Operations of one kind, and what docs/models.md says of them. */
export interface Family {
  readonly title: string;
  /** Element types and layouts that are converted. */
  readonly takes: string;
  /** Forms that are refused, stop the run, or differ, by the operations that it is true of; no names are all of the family. */
  readonly limits: readonly (readonly [operations: string, limit: string])[];
  readonly operations: Readonly<Record<string, Operation>>;
}

/** Rows of operations that are converted alike. */
export function alike(names: string, ...operation: Operation): Readonly<Record<string, Operation>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operation] as const));
}

/** Rows for operations that share one shape rule. */
export function shaped(
  rule: ShapeRule,
  converters: Readonly<Record<string, Converter>>,
): Readonly<Record<string, Operation>> {
  return Object.fromEntries(
    Object.entries(converters).map(([name, convert]) => [name, [convert, rule] as const] as const),
  );
}
