/** Requests of `X-Amzn-SageMaker-Custom-Attributes` to the TensorFlow container, as its nginx and Python service read it. */
export interface TfsAttributes {
  readonly modelName: string | undefined;
  readonly modelVersion: string | undefined;
  readonly method: string | undefined;
}

/** The header in which SageMaker hands on a request's `CustomAttributes`; in lower case, as Node keeps header names. */
export const CUSTOM_ATTRIBUTES_HEADER = 'x-amzn-sagemaker-custom-attributes';

/** Pairs such as `tfs-model-name=half_plus_two,tfs-method=predict`; anything else in the header is ignored. */
export function parseCustomAttributes(header: string | undefined): TfsAttributes {
  const pairs = new Map<string, string>();
  for (const [pair] of (header ?? '').matchAll(/tfs-(?:(?!tfs-)[a-z-])+=[^,]+/g)) {
    const [name, value, ...rest] = pair.split('=');
    if (name !== undefined && value !== undefined && rest.length === 0) pairs.set(name, value);
  }
  return {
    modelName: pairs.get('tfs-model-name'),
    modelVersion: pairs.get('tfs-model-version'),
    method: pairs.get('tfs-method'),
  };
}

/** The path of the REST API that a request goes to. */
export function toServingPath(attributes: TfsAttributes, defaultModelName: string): string {
  const version = attributes.modelVersion === undefined ? '' : `/versions/${attributes.modelVersion}`;
  return `/v1/models/${attributes.modelName ?? defaultModelName}${version}:${attributes.method ?? 'predict'}`;
}

/** The newer images' refusal with 400, in their words; the older ones pass everything on. */
export function checkAttributes({ modelName, modelVersion, method }: TfsAttributes): string | undefined {
  if (modelName !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/.test(modelName))
    return 'invalid tfs-model-name';
  if (modelVersion !== undefined && !/^\d+$/.test(modelVersion))
    return 'invalid tfs-model-version: must be a positive integer';
  if (method !== undefined && !['predict', 'classify', 'regress'].includes(method))
    return 'invalid tfs-method: must be one of predict|classify|regress';
  return undefined;
}
