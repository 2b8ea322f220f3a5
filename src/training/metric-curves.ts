import { readsMetrics } from './log-metrics.ts';
import type { TrainingMetrics } from './training-metrics.ts';
import type { TrainingPlan } from './training-plan.ts';

/** Points of a curve that are kept: more than a chart of the report is wide. */
const MAX_POINTS = 1_000;
/** Lines of a log's end that are kept. */
export const END_LINES = 50;
const MAX_LINE_LENGTH = 500;

/** A line of a host's log. */
interface HostLine {
  /** `algo-1`, `algo-2`, … */
  readonly host: string;
  readonly at: Date;
  readonly text: string;
}

/** Reads the curves of metrics, and the end of each host's log, from its lines. */
export interface MetricCurves {
  add(line: HostLine): void;
  curves(): Pick<TrainingMetrics, 'series' | 'logEnd'>;
}

interface Curve {
  count: number;
  points: { at: string; value: number | null }[];
  /** One in this many values is kept. */
  stride: number;
  last: { at: string; value: number | null };
}

/** Builds the curves; memory holds a bounded number of points and lines for a log of any length. */
export function metricCurves(metrics: TrainingPlan['metrics']): MetricCurves {
  const read = readsMetrics(metrics);
  const curves = new Map<string, Map<string, Curve>>();
  const ends = new Map<string, string[]>();
  return {
    add({ host, at, text }) {
      const end = ends.get(host) ?? [];
      end.push(text.slice(0, MAX_LINE_LENGTH));
      ends.set(host, end.slice(-END_LINES));
      for (const { name, value } of read(text)) {
        const ofHosts = curves.get(name) ?? new Map<string, Curve>();
        curves.set(name, ofHosts);
        const point = { at: at.toISOString(), value };
        const curve = ofHosts.get(host) ?? { count: 0, points: [], stride: 1, last: point };
        ofHosts.set(host, curve);
        addPoint(curve, point);
      }
    },
    curves: () => ({
      series: metrics.flatMap(({ name }) =>
        inOrder(curves.get(name)).map(([host, { count, points, last }]) => ({
          metric: name,
          host,
          count,
          points: points.at(-1) === last ? points : [...points, last],
        })),
      ),
      logEnd: inOrder(ends).map(([host, lines]) => ({ host, lines })),
    }),
  };
}

function addPoint(curve: Curve, point: Curve['last']): void {
  if (curve.count % curve.stride === 0) curve.points.push(point);
  curve.count += 1;
  curve.last = point;
  if (curve.points.length < MAX_POINTS) return;
  curve.points = curve.points.filter((_, at) => at % 2 === 0);
  curve.stride *= 2;
}

/** `algo-2` before `algo-10`. */
function inOrder<T>(byHost: ReadonlyMap<string, T> | undefined): [string, T][] {
  const number = (host: string): number => Number(host.slice(host.lastIndexOf('-') + 1)) || 0;
  return [...(byHost ?? [])].sort(([a], [b]) => number(a) - number(b));
}
