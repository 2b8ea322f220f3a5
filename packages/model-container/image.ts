/** The parts of a container image's URI that decide what runs: `<registry>/<repository>:<tag>`. */
export interface ImageUri {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

/** The laptop's stand-in for an image: one of its containers, or none, with the reason. */
export type ContainerKind =
  { readonly kind: 'tensorflow' | 'pytorch' } | { readonly kind: 'refused'; readonly reason: string };

const TENSORFLOW = new Set([
  'tensorflow-inference',
  'tensorflow-inference-graviton',
  'sagemaker-tensorflow-serving',
]);
const PYTORCH = new Set(['pytorch-inference', 'pytorch-inference-graviton', 'sagemaker-pytorch']);

/** Reads an image URI; a digest (`@sha256:…`) counts as the tag, and a missing tag is `latest`. */
export function parseImageUri(uri: string): ImageUri {
  const slash = uri.indexOf('/');
  const registry = slash < 0 ? '' : uri.slice(0, slash);
  const rest = uri.slice(slash + 1);
  const split = rest.search(/[:@]/);
  return split < 0
    ? { registry, repository: rest, tag: 'latest' }
    : { registry, repository: rest.slice(0, split), tag: rest.slice(split + 1) };
}

/** Chooses by the repository's name alone: the account and region of the registry do not matter on a laptop. */
export function resolveContainerKind(uri: string): ContainerKind {
  const { repository } = parseImageUri(uri);
  if (TENSORFLOW.has(repository)) return { kind: 'tensorflow' };
  if (PYTORCH.has(repository)) return { kind: 'pytorch' };
  if (repository.endsWith('-eia')) {
    return {
      kind: 'refused',
      reason: `image ${uri}: Elastic Inference was retired in April 2024; use tensorflow-inference`,
    };
  }
  const known = [...TENSORFLOW, ...PYTORCH].join(', ');
  return { kind: 'refused', reason: `image ${uri}: repository must be one of ${known}, is ${repository}` };
}

/** `[major, minor]` of a TensorFlow image's tag such as `2.19.0-cpu` or `2.20-cpu-py312-amzn2023-sagemaker-v1`. */
export function frameworkVersionOf(tag: string): readonly [number, number] | undefined {
  const match = /^(\d+)\.(\d+)/.exec(tag);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}
