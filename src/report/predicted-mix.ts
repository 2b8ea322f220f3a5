import type { Report } from './report.ts';

/** How often one class was predicted. */
export interface PredictedShare {
  readonly name: string;
  readonly listed: boolean;
  readonly count: number;
  /** Share of all predictions. */
  readonly share: number;
}

/**
 * Listed classes and others that were met, by how often they were predicted: the figures of records without a truth. Empty if
 * every record has one.
 */
export function predictedMix({ classes }: Pick<Report, 'classes'>): readonly PredictedShare[] {
  if (classes.every(({ predictedUnlabeled }) => predictedUnlabeled === 0)) return [];
  const total = classes.reduce((sum, each) => sum + each.predicted + each.predictedUnlabeled, 0);
  return classes
    .map(({ name, listed, predicted, predictedUnlabeled }) => {
      const count = predicted + predictedUnlabeled;
      return { name, listed, count, share: count / total };
    })
    .filter(({ listed, count }) => listed || count > 0)
    .sort((a, b) => b.count - a.count);
}
