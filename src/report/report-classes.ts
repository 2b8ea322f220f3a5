import { pairsOf } from '../metric/confusion-counts.ts';
import type { Metrics } from '../metric/metrics.ts';
import type { Tally } from '../metric/tally.ts';
import { compareByteOrder } from '../text/byte-order.ts';
import type { Report, ReportClass } from './report.ts';

/**
 * Classes and confusion counts in the report's order: listed classes as the pipeline lists them, then unlisted labels by name, so
 * that the order does not depend on how shards were merged.
 */
export function reportClasses(tally: Tally, metrics: Metrics): Pick<Report, 'classes' | 'confusion'> {
  const { names, listed } = tally.classes;
  const order = names.map((_, id) => id).slice(0, listed);
  order.push(
    ...names
      .map((_, id) => id)
      .slice(listed)
      .sort((a, b) => compareByteOrder(names[a] ?? '', names[b] ?? '')),
  );
  const place = new Map(order.map((id, at) => [id, at]));
  const ranking = new Map(metrics.ranking?.classes.map((each) => [each.id, each]));
  const classes = order.flatMap((id): ReportClass[] => {
    const quality = metrics.classes[id];
    if (quality === undefined) return [];
    const curves = ranking.get(id);
    return [
      {
        name: names[id] ?? '',
        listed: id < listed,
        support: quality.support,
        predicted: quality.predicted,
        predictedUnlabeled: tally.unlabeled.get(id) ?? 0,
        correct: quality.correct,
        precision: quality.precision ?? null,
        recall: quality.recall ?? null,
        recallInterval: quality.recallInterval ?? null,
        f1: quality.f1 ?? null,
        rocAuc: curves?.rocAuc ?? null,
        averagePrecision: curves?.averagePrecision ?? null,
      },
    ];
  });
  const confusion = [...pairsOf(tally.confusion)]
    .map(({ truth, predicted, times }): [number, number, number] => [
      place.get(truth) ?? 0,
      place.get(predicted) ?? 0,
      times,
    ])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return { classes, confusion };
}
