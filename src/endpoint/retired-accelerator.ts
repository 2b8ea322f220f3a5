/** What pipeline.json says about an endpoint's hardware. */
export interface AcceleratorSettings {
  readonly instanceType: string;
  readonly acceleratorType: string | null;
  readonly onRetiredAccelerator: 'fail' | 'replace' | 'cpu' | 'send';
}

/** What is really asked for, what the reader must know, and why the run is refused, if it is. */
export interface ResolvedAccelerator {
  readonly instanceType: string;
  readonly acceleratorType: string | null;
  readonly note?: string;
  readonly refusal?: string;
}

/** GPU instances of at least the accelerator's throughput and memory (8 TFLOPS of half precision and 1 GB, up to 32 and 8). */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  medium: 'ml.g4dn.xlarge',
  large: 'ml.g4dn.xlarge',
  xlarge: 'ml.g4dn.2xlarge',
};

/** AWS retired Elastic Inference in April 2024, though its API still takes the field: decide here, before it refuses. */
export function resolveAccelerator(settings: AcceleratorSettings): ResolvedAccelerator {
  const { instanceType, acceleratorType, onRetiredAccelerator } = settings;
  if (acceleratorType === null) return { instanceType, acceleratorType };
  const gpu = REPLACEMENTS[acceleratorType.split('.').at(-1) ?? ''] ?? 'ml.g4dn.xlarge';
  const retired = `AWS retired Elastic Inference (${acceleratorType}) in April 2024`;
  switch (onRetiredAccelerator) {
    case 'fail':
      return {
        instanceType,
        acceleratorType,
        refusal: `names a retired accelerator: ${retired}. Set it to null, and endpoint.instanceType to ${gpu} where a GPU is wanted; or set endpoint.onRetiredAccelerator to "replace" or "cpu"`,
      };
    case 'replace':
      return {
        instanceType: gpu,
        acceleratorType: null,
        note: `${retired}: ${gpu} is used in place of ${instanceType} with it`,
      };
    case 'cpu':
      return { instanceType, acceleratorType: null, note: `${retired}: ${instanceType} is used without it` };
    case 'send':
      return {
        instanceType,
        acceleratorType,
        note: `${retired}: it is sent all the same, as endpoint.onRetiredAccelerator says`,
      };
  }
}
