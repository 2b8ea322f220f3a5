import { ClassList } from '../../src/label/class-list.ts';
import { resolvePrediction } from '../../src/label/resolve-prediction.ts';
import { countOutcome } from '../../src/metric/count-outcome.ts';
import { metricsOf } from '../../src/metric/metrics.ts';
import { createTally } from '../../src/metric/tally.ts';
import { buildReport } from '../../src/report/build-report.ts';
import type { Report } from '../../src/report/report.ts';
import { asAnswered } from './as-answered.ts';
import { random } from './random.ts';
import { syntheticReport } from './synthetic-report.ts';

/** A finished run without labels: classes are predicted ever more rarely, the last one never; `labeled` records have a truth. */
export function unjudgedReport(classCount: number, records: number, labeled = 0): Report {
  const frame = syntheticReport(classCount, 1);
  const classes = new ClassList(frame.classes.map(({ name }) => name));
  const tally = createTally(classes, 0);
  const next = random(classCount);
  for (let record = 0; record < records; record++) {
    const predicted = Math.floor(next() ** 2 * (classCount - 1));
    const scores = classes.names.map((_, id) => (id === predicted ? 0.8 : 0.2 / (classCount - 1)));
    const truth = record < labeled ? 0 : undefined;
    const key = `incoming/birds/monday/${record}.png`;
    tally.inputs++;
    countOutcome(tally, {
      key,
      recordIndex: 0,
      truth,
      ...resolvePrediction({ scores }, classes, asAnswered()),
    });
  }
  return buildReport(
    {
      ...frame,
      status: 'completed',
      comparison: null,
      labelReading: null,
      suspectLabels: null,
      slices: null,
      failures: [],
      gate: { verdict: 'none', explanation: 'No gate is set.', isSet: false },
    },
    tally,
    metricsOf(tally, [1]),
  );
}
