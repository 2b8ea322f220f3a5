/** The parts of a container image's URI that decide what runs: `<registry>/<repository>:<tag>`. */
export interface ImageUri {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

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

/** Minor version of the Python in an image if its tag names none: the newest one's. */
const NEWEST_PYTHON = 12;

/** Minor version of the Python 3 in an image: 10 for the tag `2.16.1-cpu-py310-ubuntu20.04-sagemaker`. */
export function pythonMinorOf(uri: string): number {
  const [, minor] = /(?:^|-)py3(\d+)(?:-|$)/.exec(parseImageUri(uri).tag) ?? [];
  return minor === undefined ? NEWEST_PYTHON : Number(minor);
}

/** `[major, minor]` of a TensorFlow image's tag such as `2.19.0-cpu` or `2.20-cpu-py312-amzn2023-sagemaker-v1`. */
export function frameworkVersionOf(tag: string): readonly [number, number] | undefined {
  const match = /^(\d+)\.(\d+)/.exec(tag);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}
