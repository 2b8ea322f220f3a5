import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { failedPlaceOf } from '../../input/file-place.ts';
import { causeText, type StepFailure } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import { buildEmptyReport, type ReportFrame } from '../../report/build-report.ts';
import type { Report, ReportFailure } from '../../report/report.ts';
import { statusOfFailure } from '../../report/run-status.ts';
import { ERRORS_CSV } from '../../report/table/errors-csv.ts';
import { nextStep } from '../../report/text/next-step.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { foldFailureJson } from '../records/fold-failure.ts';
import { readReconciled } from '../records/reconciled.ts';
import { problemsJson } from '../records/run.ts';
import type { Explanations } from './explain-failures.ts';
import { SHOWN_FAILURES } from './merge-shards.ts';

/** Facts of a run before its end. */
export type KnownFrame = Pick<
  ReportFrame,
  | 'run'
  | 'rescoreOf'
  | 'previous'
  | 'sample'
  | 'program'
  | 'createdAt'
  | 'startedAt'
  | 'seconds'
  | 'costUsd'
  | 'notes'
  | 'labels'
  | 'labelReading'
  | 'task'
  | 'setup'
  | 'jobs'
>;

/** The report of a run that ended before its predictions were counted; without a failure the drop was empty. */
export async function earlyReport(
  store: ObjectStore,
  run: RunParts,
  given: StepFailure | undefined,
  frame: KnownFrame,
  explain: Explanations['explain'],
): Promise<Report> {
  const left = given && (await foldFailureJson(run).read(store));
  const failure =
    given && left === undefined
      ? { error: given.error, cause: causeText(given) }
      : left && { error: left.error, cause: left.cause };
  const refused = failure?.error === 'PlanRefused';
  const problems = refused ? await readProblems(store, run) : [];
  const unpredicted =
    failure?.error === 'NothingPredicted' ? await reportUnpredicted(store, run, explain) : undefined;
  const isPredicted = (await store.describe(bucketLayout.shards(run))) !== undefined;
  const report = buildEmptyReport(
    {
      ...frame,
      status: failure === undefined ? 'empty' : statusOfFailure(failure.error),
      gate: {
        verdict: 'none',
        explanation: 'No gate was judged: the run ended before its predictions were read.',
        isSet: false,
      },
      failure:
        failure === undefined
          ? null
          : {
              ...failure,
              ...(problems.length > 0
                ? { cause: problems.map(problemLine).join('\n') }
                : exampleOf(unpredicted?.failures)),
              nextStep: nextStep(
                { ...given, error: failure.error },
                unpredicted?.errorsByReason,
                isPredicted,
              ),
            },
      problems,
      failures: [],
      isDoubted: false,
      comparison: null,
      labelChanges: null,
      suspectLabels: null,
      ledger: null,
      slices: null,
      answers: [],
    },
    frame.sample?.inputs ?? (await frozenJson(run).read(store))?.objects ?? 0,
  );
  return { ...report, ...unpredicted };
}

/** The container's message for the first input without an answer. */
function exampleOf(failures: readonly ReportFailure[] = []): Pick<NonNullable<Report['failure']>, 'example'> {
  const first = failures.find(({ reason }) => reason === 'model-error');
  return first === undefined ? {} : { example: { key: first.key, detail: first.detail } };
}

async function readProblems(store: ObjectStore, run: RunParts): Promise<Report['problems']> {
  const { problems = [] } = (await problemsJson(run).read(store)) ?? {};
  return problems.map((problem) => ({
    ...problem,
    value: typeof problem.value === 'string' ? problem.value : JSON.stringify(problem.value),
  }));
}

/** Writes the errors.csv of a run without any prediction, which is never folded, and counts the reasons. */
async function reportUnpredicted(
  store: ObjectStore,
  run: RunParts,
  explain: Explanations['explain'],
): Promise<Pick<Report, 'errors' | 'errorRate' | 'errorsByReason' | 'failures'>> {
  const errorsByReason: Record<string, number> = {};
  const failures: ReportFailure[] = [];
  let errors = 0;
  async function* csv(): AsyncGenerator<string> {
    yield ERRORS_CSV.header;
    if ((await store.describe(bucketLayout.reconciled(run))) === undefined) return;
    for await (const entry of readReconciled(store, run)) {
      const { error = 'output-missing', detail = '' } = entry;
      const failure = explain({ ...failedPlaceOf(entry, null), reason: error, detail });
      errorsByReason[error] = (errorsByReason[error] ?? 0) + 1;
      errors++;
      if (failures.length < SHOWN_FAILURES) failures.push(failure);
      yield ERRORS_CSV.line(failure);
    }
  }
  await store.writeStream(bucketLayout.errors(run), csv(), { contentType: 'text/csv; charset=utf-8' });
  return { errors, errorRate: errors > 0 ? 1 : 0, errorsByReason, failures };
}
