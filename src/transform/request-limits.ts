import * as z from 'zod';

/**
 * How the inputs of a bundle are sent.
 *
 * - `list`: not at all: a function reads the list, and each input itself
 * - `tar`: as files, to the handler that inferdrop adds to an archive
 * - `records`: as lines of JSON texts, to the same handler
 * - `lines`: as the lines of an object, which SageMaker cuts into requests; it joins their answers
 */
export const BundleForm = z.enum(['list', 'tar', 'records', 'lines']);
export type BundleForm = z.infer<typeof BundleForm>;

/** Caps on the inputs of a bundle, and on the bytes that they take in it. */
export const BundleBounds = z.object({
  form: BundleForm,
  inputs: z.int().min(1),
  bytes: z.int().min(1),
});
/** Bounds of a bundle. */
export type BundleBounds = Readonly<z.infer<typeof BundleBounds>>;

/** Bounds on sending many inputs at once. A container holds the tensors of a whole request in memory. */
export const REQUEST_LIMITS = {
  tar: { inputs: 64, bytes: 2_000_000 },
  records: { inputs: 1_000, bytes: 4_000_000 },
  lines: { inputs: 1_000, bytes: 4_000_000 },
} as const satisfies Readonly<Partial<Record<BundleForm, Omit<BundleBounds, 'form'>>>>;

/** Content types of requests to the handler that inferdrop adds; other requests have the inputs' own. */
export const BUNDLE_TYPES: Readonly<Partial<Record<BundleForm, string>>> = {
  tar: 'application/x-tar',
  records: 'application/vnd.inferdrop.records',
};

/** Bundles of a retry, at the least, before they hold more than one input each. */
const RETRIED_BUNDLES = 2_000;

/** Bundles for inputs that failed. If an input crashes the container, it takes its neighbors along, so these bundles are small. */
export function smallerBundles<Bounds extends BundleBounds>(most: Bounds, missing: number): Bounds {
  const inputs = Math.max(1, Math.min(most.inputs, Math.ceil(missing / RETRIED_BUNDLES)));
  return { ...most, inputs };
}

/** Bundles at once for each processor of an instance: more wait in its container. */
const REQUESTS_PER_CORE = 2;
const CORES_OF_SIZE: Readonly<Record<string, number>> = { medium: 1, large: 2, xlarge: 4 };

/** Bundles at once that keep an instance busy: sizes double their processors from `large` with two, `2xlarge` with eight, on. */
export function requestsAtOnce(instanceType: string): number {
  const [, times = '1', size = ''] = /\.(\d*)([a-z]+)$/.exec(instanceType) ?? [];
  return REQUESTS_PER_CORE * (CORES_OF_SIZE[size] ?? 1) * Number(times === '' ? 1 : times);
}
