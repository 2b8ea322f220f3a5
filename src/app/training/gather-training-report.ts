import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { totalCostUsd } from '../../price/quote.ts';
import { causeText, type StepFailure } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import { PROGRAM } from '../../report/program.ts';
import { statusOfFailure } from '../../report/run-status.ts';
import { nextStep } from '../../report/text/next-step.ts';
import { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingMetrics } from '../../training/training-metrics.ts';
import { frozenJson } from '../records/drop.ts';
import { promotionJson } from '../records/promotion.ts';
import { problemsJson } from '../records/run.ts';
import { registeredJson } from '../records/training.ts';
import { listTrainingJobRecords } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { packagedSourceJson, trainingMetricsJson } from '../records/training-work.ts';
import { deploymentAfter, readJudgment } from './evidence.ts';
import { readEvaluation } from './read-evaluation.ts';
import { trainingNotes } from './training-notes.ts';

/** Cap on the values of one host that report.json keeps of a metric; its plot is 460 points wide. */
const MAX_VALUES = 500;

/** Gathers the report of a training from the documents that it has left. */
export async function gatherTrainingReport(
  store: ObjectStore,
  run: RunParts,
  {
    begun,
    now,
    failure,
  }: {
    readonly begun: Date;
    readonly now: Date;
    readonly failure: StepFailure | undefined;
  },
): Promise<TrainingReport> {
  const documents = await readDocuments(store, run);
  const { plan, registered, promotion, metrics, attempts, judgment } = documents;
  const refused = failure?.error === 'PlanRefused';
  const problems = refused ? await readProblems(store, run) : [];
  const last = attempts.at(-1);
  const isEmpty = failure === undefined && plan === undefined;
  return {
    schema: 1,
    kind: 'training',
    run: toRunId(run),
    program: PROGRAM,
    status: failure !== undefined ? statusOfFailure(failure.error) : isEmpty ? 'empty' : 'completed',
    createdAt: now.toISOString(),
    startedAt: begun.toISOString(),
    seconds: Math.max(0, (now.getTime() - begun.getTime()) / 1000),
    costUsd: totalCostUsd(attempts),
    quoteUsd: plan?.cost.quoteUsd ?? null,
    failure: failureOf(failure, problems),
    problems,
    notes: trainingNotes({ plan, last, registered, judgment, metrics }),
    jobs: attempts.map(toReportJob),
    // The last status is the job's end.
    phases: (last?.phases ?? []).map(toReportPhase).filter(({ seconds }) => seconds !== 0),
    metrics: toReportMetrics(plan?.metrics.map(({ name }) => name) ?? [], metrics),
    logEnd: failure === undefined ? [] : (metrics?.logEnd ?? []),
    evaluation: await readEvaluation(store, run),
    promotion: promotion === undefined ? null : { ...promotion },
    lineage: await lineageOf(store, run, documents),
  };
}

async function readProblems(store: ObjectStore, run: RunParts): Promise<TrainingReport['problems']> {
  const { problems = [] } = (await problemsJson(run).read(store)) ?? {};
  return problems.map((problem) => ({
    ...problem,
    value: typeof problem.value === 'string' ? problem.value : (JSON.stringify(problem.value) ?? ''),
  }));
}

async function readDocuments(store: ObjectStore, run: RunParts) {
  const [plan, frozen, source, registered, promotion, metrics, jobs] = await Promise.all([
    trainingPlanJson(run).read(store),
    frozenJson(run).read(store),
    packagedSourceJson(run).read(store),
    registeredJson(run).read(store),
    promotionJson(run).read(store),
    trainingMetricsJson(run).read(store),
    Array.fromAsync(listTrainingJobRecords(store, run)),
  ]);
  const judgment = await readJudgment(store, run, plan);
  const attempts = jobs.toSorted((a, b) => a.attempt - b.attempt);
  return { plan, frozen, source, registered, promotion, metrics, attempts, judgment };
}

function failureOf(
  failure: { readonly error: string; readonly cause: string } | undefined,
  problems: TrainingReport['problems'],
): TrainingReport['failure'] {
  if (failure === undefined) return null;
  const cause = problems.length > 0 ? problems.map(problemLine).join('\n') : causeText(failure);
  return { error: failure.error, cause, nextStep: nextStep(failure) };
}

async function lineageOf(
  store: ObjectStore,
  run: RunParts,
  {
    plan,
    frozen,
    source,
    registered,
    promotion,
    metrics,
    judgment,
  }: Awaited<ReturnType<typeof readDocuments>>,
): Promise<TrainingReport['lineage']> {
  return {
    data: {
      manifest: `s3://${store.bucket}/${bucketLayout.manifest(run)}`,
      objects: frozen?.objects ?? 0,
      bytes: frozen?.bytes ?? 0,
    },
    source:
      plan === undefined
        ? null
        : {
            prefix: plan.source.prefix,
            entryPoint: plan.source.entryPoint,
            sha256: source?.sha256 ?? null,
            files: plan.source.files.length,
          },
    image: plan === undefined ? null : plan.image,
    runtime: metrics?.runtime ?? null,
    packages: metrics?.packages ?? [],
    tags: plan?.tags ?? {},
    hyperparameters: plan?.hyperparameters ?? {},
    model: registered ?? null,
    evaluationRun: judgment.candidateRun,
    deploy:
      promotion?.promotion === 'promoted'
        ? await deploymentAfter(store, run, judgment, plan?.after.deploy ?? 'never')
        : 'never',
  };
}

function toReportJob(job: TrainingJobRecord): TrainingReport['jobs'][number] {
  return {
    name: job.jobName,
    status: job.secondaryStatus ?? job.status,
    instanceType: job.instanceType,
    instanceCount: job.instanceCount,
    billableSeconds: job.billableSeconds ?? null,
    costUsd: job.costUsd,
    failureReason: job.failureReason ?? null,
  };
}

function toReportPhase({
  status,
  startedAt,
  endedAt,
}: TrainingJobRecord['phases'][number]): TrainingReport['phases'][number] {
  const seconds =
    endedAt === undefined ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return { status, startedAt, seconds };
}

/** The metrics of the report, in the order of pipeline.json. */
function toReportMetrics(
  names: readonly string[],
  metrics: TrainingMetrics | undefined,
): TrainingReport['metrics'] {
  return names.map((name) => ({
    name,
    // A metric may be called "constructor".
    final: metrics !== undefined && Object.hasOwn(metrics.final, name) ? (metrics.final[name] ?? null) : null,
    hosts: (metrics?.series ?? [])
      .filter(({ metric }) => metric === name)
      .map(({ host, count, points }) => ({
        host,
        count,
        values: spread(points.map(({ value }) => value)),
      })),
  }));
}

/** At most `MAX_VALUES` of the values, evenly, with the first and the last. */
function spread<T>(values: readonly T[]): T[] {
  if (values.length <= MAX_VALUES) return [...values];
  return Array.from({ length: MAX_VALUES }, (_, at) => {
    const index = Math.round((at * (values.length - 1)) / (MAX_VALUES - 1));
    return values.slice(index, index + 1);
  }).flat();
}
