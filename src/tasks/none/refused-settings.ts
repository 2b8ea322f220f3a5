import type { Problem } from '../../problem/problem.ts';
import type { RefuseSettings } from '../task.ts';

/** Settings that judge answers, each with its purpose. */
const JUDGING: Readonly<Record<string, string>> = {
  'gate.minAccuracy': 'judges right answers',
  'gate.maxAccuracyDrop': 'judges right answers',
  'gate.minRecall': 'judges right answers',
  'gate.slices': 'judges right answers',
  'gate.minLabeled': 'counts labels',
  labels: 'describes right answers',
  'report.topK': 'ranks classes',
  'report.slices': 'breaks accuracy down',
  'report.clusters': 'widens the interval of accuracy',
  'training.after.evaluate': 'judges a trained model by its right answers',
};
/** Values that act on a verdict, or on labels, each with its purpose and a remedy. */
const ACTING: Readonly<Record<string, readonly [value: string, what: string]>> = {
  'gate.decide': ['early', 'stops once enough answers are right, and "labels" is null: set it to "all"'],
  'sample.by': ['class', 'draws by label, and "labels" is null: set it to "folder" or "none"'],
  'endpoint.deploy': [
    'when-gate-passes',
    'would serve a model that nobody has judged, since "labels" is null: set it to "never", and deploy by hand ' +
      '(inferdrop endpoints deploy)',
  ],
  'training.after.promote': [
    'when-gate-passes',
    'would take a model that nobody has judged, since "labels" is null: set it to "ask" or "never"',
  ],
};

/** Refuses settings that make no sense if nobody judges the answers. A field that is null, or an empty list, asks for nothing. */
export const refuseJudging: RefuseSettings = (file, valueOf) => {
  const problem = (field: string, value: unknown, message: string): Problem => ({
    file,
    field,
    value: JSON.stringify(value),
    message,
  });
  const judging = Object.entries(JUDGING).flatMap(([field, what]) => {
    const value = valueOf(field) ?? [];
    const isAsked = !Array.isArray(value) || value.length > 0;
    return isAsked
      ? [problem(field, value, `${what}, and "labels" is null: remove it, or describe the labels`)]
      : [];
  });
  const acting = Object.entries(ACTING).flatMap(([field, [value, what]]) =>
    valueOf(field) === value ? [problem(field, value, what)] : [],
  );
  return [...judging, ...acting];
};
