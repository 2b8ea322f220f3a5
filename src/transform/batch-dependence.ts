import * as z from 'zod';

/**
 * Statements of bundles about answers that may depend on the inputs beside them. Those of a run are summed up: no process
 * knows of another one.
 */
export const BatchDependence = z.object({
  /** Whether any answers were made together with those of other inputs. */
  isJoint: z.boolean(),
  /** Whether a process found answers of inputs together that are not those of each alone. */
  differs: z.boolean(),
});
export type BatchDependence = z.infer<typeof BatchDependence>;

/** Dependence before any bundle was read: none. */
export function independence(): BatchDependence {
  return { isJoint: false, differs: false };
}

/**
 * Whether answers may not be those of each input alone: one process has proved that they differ, and another one, or the
 * same before, gave such.
 */
export function isDoubted({ isJoint, differs }: BatchDependence): boolean {
  return isJoint && differs;
}

/** Adds what further bundles say to a sum. */
export function mergeDependence(into: BatchDependence, { isJoint, differs }: BatchDependence): void {
  into.isJoint ||= isJoint;
  into.differs ||= differs;
}
