/** Memory and price of an Elastic Inference accelerator. */
export interface AcceleratorFigures {
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

/** The figures of an accelerator; undefined for an unknown one. */
export function acceleratorFigures(acceleratorType: string): AcceleratorFigures | undefined {
  return FIGURES[acceleratorType];
}

/** The cheapest current instance with a GPU: its 16 GB are more than any accelerator had. */
export const GPU_INSTANCE = 'ml.g4dn.xlarge';
