import { decimal, dollars } from '../text/figures.ts';

/** Memory and price of an Elastic Inference accelerator. */
interface AcceleratorFigures {
  readonly memoryGb: number;
  /** US dollars an hour in us-east-1, as SageMaker last listed it. */
  readonly lastUsdPerHour: number;
}

/** Memory by the SageMaker guide "Use Amazon SageMaker AI Elastic Inference", prices by the last public list of 2023. */
const FIGURES: Readonly<Record<string, AcceleratorFigures>> = {
  'ml.eia1.medium': { memoryGb: 1, lastUsdPerHour: 0.182 },
  'ml.eia1.large': { memoryGb: 2, lastUsdPerHour: 0.364 },
  'ml.eia1.xlarge': { memoryGb: 4, lastUsdPerHour: 0.728 },
  'ml.eia2.medium': { memoryGb: 2, lastUsdPerHour: 0.168 },
  'ml.eia2.large': { memoryGb: 4, lastUsdPerHour: 0.336 },
  'ml.eia2.xlarge': { memoryGb: 8, lastUsdPerHour: 0.476 },
};

/** The cheapest current instance with a GPU: its 16 GB are more than any accelerator had. */
const GPU_INSTANCE = 'ml.g4dn.xlarge';

/** An endpoint's hardware in pipeline.json. */
export interface AcceleratorSettings {
  readonly instanceType: string;
  readonly acceleratorType: string | null;
  readonly onRetiredAccelerator: 'fail' | 'replace' | 'cpu' | 'send';
}

/** The hardware to request from SageMaker, notes for the reader, and why the run is refused, if it is. */
export interface ResolvedAccelerator {
  readonly instanceType: string;
  readonly acceleratorType: string | null;
  readonly note?: string;
  readonly refusal?: string;
}

/** US dollars an hour of an instance type; null if unknown. */
export type HourlyPrices = (instanceType: string) => number | null;

/**
 * Decides what becomes of an accelerator. AWS retired Elastic Inference in April 2024, though its API still has the field; the decision
 * comes before AWS would refuse.
 */
export function resolveAccelerator(
  settings: AcceleratorSettings,
  usdPerHour: HourlyPrices = () => null,
): ResolvedAccelerator {
  const { instanceType, acceleratorType, onRetiredAccelerator } = settings;
  if (acceleratorType === null) return { instanceType, acceleratorType };
  const figures = acceleratorFigures(acceleratorType);
  const memory = figures === undefined ? '' : ` with ${figures.memoryGb} GB`;
  const retired = `AWS retired Elastic Inference (${acceleratorType}${memory}) in April 2024`;
  const difference = (to: string): string =>
    priceDifference(usdPerHour(instanceType), figures?.lastUsdPerHour ?? null, usdPerHour(to));
  switch (onRetiredAccelerator) {
    case 'fail':
      return {
        instanceType,
        acceleratorType,
        refusal:
          `names a retired accelerator: ${retired}. Set it to null, and endpoint.instanceType to ${GPU_INSTANCE} where ` +
          'a GPU is wanted; or set endpoint.onRetiredAccelerator to "replace" or "cpu"',
      };
    case 'replace':
      return {
        instanceType: GPU_INSTANCE,
        acceleratorType: null,
        note: `${retired}: ${GPU_INSTANCE} is used instead of ${instanceType} with it${difference(GPU_INSTANCE)}`,
      };
    case 'cpu':
      return {
        instanceType,
        acceleratorType: null,
        note: `${retired}: ${instanceType} is used without it${difference(instanceType)}`,
      };
    case 'send':
      return {
        instanceType,
        acceleratorType,
        note: `${retired}: it is sent all the same, as endpoint.onRetiredAccelerator says`,
      };
  }
}

function priceDifference(before: number | null, accelerator: number | null, after: number | null): string {
  if (before === null || accelerator === null || after === null)
    return '; the difference in price is not known';
  const old = before + accelerator;
  // Sums of binary fractions: the same price is no difference.
  const change = Number(decimal(after - old, 4));
  const sign = change < 0 ? 'less' : 'more';
  return `, for ${dollars(after)} an hour instead of ${dollars(old)}: ${dollars(Math.abs(change))} ${sign}`;
}

/** The figures of an accelerator; undefined for an unknown one. */
function acceleratorFigures(acceleratorType: string): AcceleratorFigures | undefined {
  return FIGURES[acceleratorType];
}
