import * as z from 'zod';

/**
 * Bundles' statements about answers that may depend on the other inputs in the request. A run sums them up, because the processes
 * don't know of each other.
 */
export const BatchDependence = z.object({
  /** Whether any answers were computed together with other inputs' answers. */
  isJoint: z.boolean(),
  /** Whether a process found that inputs are answered differently together than on their own. */
  differs: z.boolean(),
});
export type BatchDependence = z.infer<typeof BatchDependence>;

/** Dependence before any bundle was read: none. */
export function independence(): BatchDependence {
  return { isJoint: false, differs: false };
}

/**
 * Whether answers may differ from each input's own: one process has proved that they do, and another one, or the same one before,
 * gave such answers.
 */
export function isDoubted({ isJoint, differs }: BatchDependence): boolean {
  return isJoint && differs;
}

/** Adds what further bundles say to a sum. */
export function mergeDependence(into: BatchDependence, { isJoint, differs }: BatchDependence): void {
  into.isJoint ||= isJoint;
  into.differs ||= differs;
}
