import { RE2JS } from 're2js';
import type { CreateTrainingJobInput, FinalMetric } from './training-job-record.ts';

type MetricDefinition = NonNullable<
  CreateTrainingJobInput['AlgorithmSpecification']['MetricDefinitions']
>[number];

/** Why a definition cannot be used; undefined if it can. */
export function metricProblem({ Name, Regex }: MetricDefinition): string | undefined {
  try {
    return RE2JS.compile(Regex).groupCount() === 0
      ? `the regex of metric ${Name} must have a group for the value, is ${Regex}`
      : undefined;
  } catch (error) {
    return `the regex of metric ${Name} must be one of RE2, is ${Regex} (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Reads the values of metrics out of lines of a log. */
export interface MetricReader {
  /** The values in a line: of each metric the first match, unless its group is no number. */
  read(line: string, timeMs: number): readonly FinalMetric[];
  /** The last value of each metric. */
  last(): readonly FinalMetric[];
}

/** @param definitions already checked by `metricProblem` */
export function createMetricReader(definitions: readonly MetricDefinition[]): MetricReader {
  const metrics = definitions.map(({ Name, Regex }) => ({ name: Name, regex: RE2JS.compile(Regex) }));
  const last = new Map<string, FinalMetric>();
  return {
    read(line, timeMs) {
      const values = metrics.flatMap(({ name, regex }) => {
        const matcher = regex.matcher(line);
        const text = matcher.find() ? (matcher.group(1) ?? '').trim() : '';
        const value = Number(text);
        return text !== '' && Number.isFinite(value) ? [{ name, value, timeMs }] : [];
      });
      for (const metric of values) last.set(metric.name, metric);
      return values;
    },
    last: () => [...last.values()],
  };
}
