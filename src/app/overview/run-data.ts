import type { ProblemRow } from '../../api/console/problem-row.ts';
import type { JobRow, RunData } from '../../api/console/run-data.ts';
import type { Verdict } from '../../api/console/run-row.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ExecutionDescription, ExecutionEvent } from '../../aws/states/executions.ts';
import { isPilot } from '../../plan/is-pilot.ts';
import type { Plan } from '../../plan/plan.ts';
import { totalCostUsd } from '../../price/quote.ts';
import { causeWithExample } from '../../problem/cause-text.ts';
import type { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { toExecutionName } from '../../run/execution-name.ts';
import { isAlive } from '../../run/execution-status.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { type RunSteps, runSteps } from '../progress/run-steps.ts';
import { frozenJson } from '../records/drop.ts';
import { readJobRecords } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { reportJson } from '../records/report.ts';
import { problemsJson } from '../records/run.ts';
import { listTrainingJobRecords } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { trainingReportJson } from '../records/training-report.ts';
import { trainingMetricsJson } from '../records/training-work.ts';
import type { ExecutionsOf } from '../run/start-run.ts';
import type { LiveCurves } from './live-curves.ts';
import { toVerdict } from './run-rows.ts';

/** Services that describe one run. */
export interface RunDataServices {
  readonly store: ObjectStore;
  readonly executions: ExecutionsOf<'arnOf' | 'describe' | 'history'>;
  readonly clock: () => Date;
  readonly liveCurves: LiveCurves;
}

/** A run before its execution is looked at: what documents of both kinds tell. */
type Told = Omit<
  RunData,
  | 'run'
  | 'kind'
  | 'pipeline'
  | 'verdict'
  | 'step'
  | 'startedAt'
  | 'endedAt'
  | 'steps'
  | 'next'
  | 'progress'
  | 'secondsLeft'
> & { readonly verdict: Verdict | null; readonly endedAt: string | null };

/**
 * All that is known of a run or training: its steps from the execution's history, which Step Functions keeps for 90 days, its jobs,
 * its cost so far, and the figures of its report.
 *
 * @throws {RequestProblem} `unknown-run`
 */
export async function runData(run: RunParts, services: RunDataServices): Promise<RunData> {
  const executions = services.executions(run.kind);
  const arn = executions.arnOf(toExecutionName(run));
  const [execution, told] = await Promise.all([executions.describe(arn), TELL[run.kind](run, services)]);
  if (execution === undefined && told.verdict === null)
    throw new RequestProblem('unknown-run', `run ${toRunId(run)} does not exist`);
  const events: ExecutionEvent[] =
    execution === undefined ? [] : await Array.fromAsync(executions.history(arn));
  const folded = runSteps(run.kind, events);
  const alive = execution !== undefined && isAlive(execution);
  const failure = told.failure ?? (alive ? null : failureOf(execution));
  return {
    ...told,
    run: toRunId(run),
    kind: run.kind,
    pipeline: run.pipeline,
    steps: folded.steps,
    next: folded.next,
    progress: alive ? folded.progress : null,
    verdict: alive ? liveVerdict(folded) : (told.verdict ?? 'failed'),
    step: lastStep(folded, alive),
    startedAt: execution?.startedAt.toISOString() ?? null,
    endedAt: alive ? null : (told.endedAt ?? execution?.endedAt?.toISOString() ?? null),
    failure,
    secondsLeft: alive ? secondsLeft(folded, told.jobs) : null,
  };
}

/** Inputs of a run, as soon as they are known. */
const TELL: ByRunKind<typeof tellInference> = { inference: tellInference, training: tellTraining };

async function tellInference(run: RunParts, { store, clock }: RunDataServices): Promise<Told> {
  const [frozen, plan, records, report, problems, page] = await Promise.all([
    frozenJson(run).read(store),
    planJson(run).read(store),
    readJobRecords(store, run),
    reportJson(run).read(store),
    problemsJson(run).read(store),
    store.describe(bucketLayout.reportHtml(run)),
  ]);
  const started = records.filter(({ status }) => status !== 'Planned');
  const deployable =
    report !== undefined &&
    plan !== undefined &&
    plan.endpoint !== null &&
    plan.judgedByDrop.length === 0 &&
    report.gate.verdict !== 'failed' &&
    report.records > 0;
  return {
    verdict: report === undefined ? null : toVerdict({ status: report.status, gate: report.gate.verdict }),
    endedAt: report?.createdAt ?? null,
    jobs: started.map((record) => toJobRow(record, plan, clock())),
    inputs: report?.total ?? plan?.objects ?? frozen?.objects ?? null,
    bytes: frozen?.bytes ?? null,
    costUsd: report === undefined ? totalCostUsd(started) : report.costUsd,
    quoteUsd: plan?.cost.quoteUsd ?? null,
    maxCostUsd: plan?.limits.maxCostUsd ?? null,
    accuracy: report?.accuracy ?? null,
    seconds: report?.seconds ?? null,
    errors: report?.status === 'refused' ? null : (report?.errors ?? null),
    gate:
      report === undefined ? null : { verdict: report.gate.verdict, explanation: report.gate.explanation },
    failure: report?.failure ? { ...report.failure, cause: causeWithExample(report.failure) } : null,
    problems: (problems?.problems ?? []).map(toProblemRow),
    hasReport: page !== undefined,
    rescoreOf: report?.rescoreOf ?? null,
    deployable: deployable
      ? { hourlyUsd: plan.endpoint?.hourlyUsd ?? null, ttlHours: plan.endpoint?.ttlHours ?? null }
      : null,
    curves: [],
  };
}

async function tellTraining(run: RunParts, { store, liveCurves, clock }: RunDataServices): Promise<Told> {
  const [frozen, plan, records, report, problems, page, metrics] = await Promise.all([
    frozenJson(run).read(store),
    trainingPlanJson(run).read(store),
    Array.fromAsync(listTrainingJobRecords(store, run)),
    trainingReportJson(run).read(store),
    problemsJson(run).read(store),
    store.describe(bucketLayout.reportHtml(run)),
    trainingMetricsJson(run).read(store),
  ]);
  const gate = report?.evaluation?.verdict ?? 'none';
  return {
    verdict: report === undefined ? null : toVerdict({ status: report.status, gate }),
    endedAt: report?.createdAt ?? null,
    jobs: records
      .filter(({ status }) => status !== 'Planned')
      .map((record) => ({
        attempt: record.attempt,
        name: record.jobName,
        kind: 'training',
        status: record.status,
        inputs: frozen?.objects ?? 0,
        seconds: record.trainingSeconds ?? secondsSince(record, clock()),
        costUsd: record.costUsd,
        hardware: `${record.instanceCount} × ${record.instanceType}`,
        reason: record.failureReason ?? record.stopReason ?? null,
      })),
    inputs: frozen?.objects ?? null,
    bytes: frozen?.bytes ?? null,
    costUsd: report === undefined ? totalCostUsd(records) : report.costUsd,
    quoteUsd: plan?.cost.quoteUsd ?? null,
    maxCostUsd: plan?.limits.maxCostUsd ?? null,
    accuracy: report?.evaluation?.accuracy ?? null,
    seconds: report?.seconds ?? null,
    errors: null,
    gate: toGate(report?.evaluation ?? null),
    failure: report?.failure ?? null,
    problems: (problems?.problems ?? []).map(toProblemRow),
    hasReport: page !== undefined,
    rescoreOf: null,
    deployable: null,
    curves: metrics?.series ?? (await liveCurves(plan, records)),
  };
}

function toGate(evaluation: TrainingReport['evaluation']): RunData['gate'] {
  return evaluation && { verdict: evaluation.verdict, explanation: evaluation.explanation };
}

function liveVerdict({ steps }: RunSteps): Verdict {
  const last = steps.at(-1)?.stretches.at(-1);
  return last === undefined || last.kind === 'wait' ? 'waiting' : 'running';
}

/** The step that a run is in, or the one with the error that stopped it. */
function lastStep({ steps }: RunSteps, alive: boolean): string | null {
  if (alive) return steps.at(-1)?.name ?? null;
  const isOver = (name: string): boolean => name === 'Report' || name === 'Message';
  const last = steps.findLast(({ name }) => !isOver(name))?.name ?? null;
  // Outputs are checked after each job: where the last job failed, there was nothing to check.
  const predict = steps.find(({ name }) => name === 'Predict');
  const hasFailed = predict?.stretches.at(-1)?.kind === 'failed';
  return last === 'Check outputs' && hasFailed ? 'Predict' : last;
}

function failureOf(execution: ExecutionDescription | undefined): RunData['failure'] {
  if (execution === undefined || execution.status === 'SUCCEEDED') return null;
  const { status, error = status, cause = '' } = execution;
  return { error, cause, nextStep: '' };
}

/** Time that the rest of a run's inputs takes at the rate of its jobs so far. */
function secondsLeft({ progress }: RunSteps, jobs: readonly JobRow[]): number | null {
  if (progress === null || progress.done === 0) return null;
  const worked = jobs.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
  return worked === 0 ? null : ((progress.total - progress.done) / progress.done) * worked;
}

function toJobRow(record: JobRecord, plan: Plan | undefined, now: Date): JobRow {
  return {
    attempt: record.attempt,
    name: record.jobName,
    kind: plan !== undefined && isPilot(plan, record) ? 'pilot' : record.kind,
    status: record.capacity === true ? 'no capacity' : record.status,
    inputs: record.objects,
    seconds: secondsSince(record, now),
    costUsd: record.costUsd,
    hardware: engineRules(record.engine).hardware(record.engine),
    reason: record.failureReason ?? record.stopReason ?? null,
  };
}

/** Time that a job has run, to its end or until now; null if it hasn't begun. */
function secondsSince(
  { startedAt, endedAt }: Pick<JobRecord, 'startedAt' | 'endedAt'>,
  now: Date,
): number | null {
  if (startedAt === undefined) return null;
  const until = endedAt === undefined ? now.getTime() : Date.parse(endedAt);
  return Math.max(0, (until - Date.parse(startedAt)) / 1000);
}

function toProblemRow({
  file,
  field,
  value,
  message,
}: {
  readonly file: string;
  readonly field: string;
  readonly value: unknown;
  readonly message: string;
}): ProblemRow {
  return { file, field, value: typeof value === 'string' ? value : JSON.stringify(value ?? ''), message };
}
