import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { causeText } from '../../problem/cause-text.ts';
import { problemLine } from '../../problem/problem.ts';
import { plural } from '../../report/figures.ts';
import { nextStep } from '../../report/next-step.ts';
import { PROGRAM } from '../../report/program.ts';
import { trainingHtml } from '../../report/training/training-html.ts';
import { trainingMarkdown } from '../../report/training/training-markdown.ts';
import { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, RunParts, toRunId } from '../../run/run-id.ts';
import { changedText, isChanged } from '../../training/judge-promotion.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingMetrics } from '../../training/training-metrics.ts';
import { evaluationJson } from '../records/evaluation.ts';
import { frozenJson } from '../records/frozen.ts';
import { packagedSourceJson } from '../records/packaged-source.ts';
import { problemsJson } from '../records/problems.ts';
import { promotionJson } from '../records/promotion.ts';
import { publishReport } from '../records/publish-report.ts';
import { registeredJson } from '../records/registered.ts';
import { type RunSummary, runSummaryJson } from '../records/run-index.ts';
import { listTrainingJobRecords } from '../records/training-job.ts';
import { trainingMetricsJson } from '../records/training-metrics.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { judgedReportJson, trainingReportJson } from '../records/training-report.ts';
import { deploymentAfter, readJudgement } from './evidence.ts';

export const WriteTrainingReportInput = z.object({
  run: RunParts,
  executionArn: z.string().optional(),
  startedAt: z.iso.datetime({ offset: true }),
  /** Why the training ended early, as reported by Step Functions. */
  failure: z.object({ error: z.string(), cause: z.string() }).optional(),
});
export const WriteTrainingReportOutput = z.object({ status: TrainingReport.shape.status });

export interface WriteTrainingReportServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/** Cap on the values of one host that report.json keeps of a metric; its plot is 460 points wide. */
const MAX_VALUES = 500;

/** State `WriteTrainingReport`: writes the report of a training in all its forms, also of one that ended early. */
export async function writeTrainingReport(
  { run, startedAt, failure }: z.infer<typeof WriteTrainingReportInput>,
  { store, clock }: WriteTrainingReportServices,
): Promise<z.infer<typeof WriteTrainingReportOutput>> {
  const begun = new Date(startedAt);
  const gathered = await gatherReport(store, run, { begun, now: clock(), failure });
  const report = await publishReport(trainingReportJson(run), store, gathered, (standing) => [
    {
      key: bucketLayout.reportHtml(run),
      body: trainingHtml(standing),
      contentType: 'text/html; charset=utf-8',
    },
    {
      key: bucketLayout.summary(run),
      body: trainingMarkdown(standing),
      contentType: 'text/markdown; charset=utf-8',
    },
  ]);
  await runSummaryJson(run, begun).write(store, toSummary(report));
  return { status: report.status };
}

function toSummary(report: TrainingReport): RunSummary {
  return {
    schema: 1,
    run: report.run,
    status: report.status,
    endedAt: report.createdAt,
    total: report.lineage.data.objects,
    correct: null,
    accuracy: report.evaluation?.accuracy ?? null,
    costUsd: report.costUsd,
    gate: report.evaluation?.verdict ?? 'none',
  };
}

async function gatherReport(
  store: ObjectStore,
  run: RunParts,
  {
    begun,
    now,
    failure,
  }: {
    readonly begun: Date;
    readonly now: Date;
    readonly failure: { readonly error: string; readonly cause: string } | undefined;
  },
): Promise<TrainingReport> {
  const [plan, frozen, source, registered, promotion, metrics, jobs] = await Promise.all([
    trainingPlanJson(run).read(store),
    frozenJson(run).read(store),
    packagedSourceJson(run).read(store),
    registeredJson(run).read(store),
    promotionJson(run).read(store),
    trainingMetricsJson(run).read(store),
    Array.fromAsync(listTrainingJobRecords(store, run)),
  ]);
  const judgement = await readJudgement(store, run, plan);
  const refused = failure?.error === 'PlanRefused';
  const problems = refused ? await readProblems(store, run) : [];
  const attempts = jobs.toSorted((a, b) => a.attempt - b.attempt);
  const last = attempts.at(-1);
  const isEmpty = failure === undefined && plan === undefined;
  return {
    schema: 1,
    kind: 'training',
    run: toRunId(run),
    program: PROGRAM,
    status: refused ? 'refused' : failure !== undefined ? 'failed' : isEmpty ? 'empty' : 'completed',
    createdAt: now.toISOString(),
    startedAt: begun.toISOString(),
    seconds: Math.max(0, (now.getTime() - begun.getTime()) / 1000),
    costUsd: totalCost(attempts),
    quoteUsd: plan?.cost.quoteUsd ?? null,
    failure:
      failure === undefined
        ? null
        : {
            error: failure.error,
            cause: problems.length > 0 ? problems.map(problemLine).join('\n') : causeText(failure.cause),
            nextStep: nextStep(failure.error),
          },
    problems,
    notes: [
      ...(plan?.notes ?? []),
      ...(last?.stopReason === undefined ? [] : [`the job was stopped: ${last.stopReason}`]),
      ...(/\bexit ?code:? (?:-9|137)\b/i.test(last?.failureReason ?? '')
        ? [
            'the script was killed by signal 9, as happens where the memory of a host does not suffice: try larger instances or smaller batches',
          ]
        : []),
      ...changeNotes(registered?.changedInputs),
      ...(isChanged(judgement.changed)
        ? [
            `${changedText(judgement.changed)}: they did not judge the model; a rerun of the training is judged by the newest files`,
          ]
        : []),
      ...noNumberNotes(metrics?.series ?? []),
      ...(metrics?.isWhole === false
        ? ['the log was too long to be read whole: metrics are of its part']
        : []),
    ],
    jobs: attempts.map(toReportJob),
    // The last status is the job's end.
    phases: (last?.phases ?? []).map(toReportPhase).filter(({ seconds }) => seconds !== 0),
    metrics: toReportMetrics(plan?.metrics.map(({ name }) => name) ?? [], metrics),
    logEnd: failure === undefined ? [] : (metrics?.logEnd ?? []),
    evaluation: await readEvaluation(store, run),
    promotion: promotion === undefined ? null : { ...promotion },
    lineage: {
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
      hyperparameters: plan?.hyperparameters ?? {},
      model: registered ?? null,
      evaluationRun: judgement.candidateRun,
      deploy:
        promotion?.promotion === 'promoted'
          ? await deploymentAfter(store, run, judgement, plan?.after.deploy ?? 'never')
          : 'never',
    },
  };
}

async function readProblems(store: ObjectStore, run: RunParts): Promise<TrainingReport['problems']> {
  const { problems = [] } = (await problemsJson(run).read(store)) ?? {};
  return problems.map((problem) => ({
    ...problem,
    value: typeof problem.value === 'string' ? problem.value : (JSON.stringify(problem.value) ?? ''),
  }));
}

/** The runs that judged the model, so far. */
async function readEvaluation(store: ObjectStore, run: RunParts): Promise<TrainingReport['evaluation']> {
  const evaluation = await evaluationJson(run).read(store);
  const judging = parseRunId(evaluation?.candidateRun?.run ?? '');
  const judged = judging && (await judgedReportJson(judging).read(store));
  if (evaluation === undefined || judging === undefined || judged === undefined) return null;
  const { incumbentRun, trainedOn } = evaluation;
  const incumbent = incumbentRun?.isOwn === true ? parseRunId(incumbentRun.run) : undefined;
  const before = incumbent && (await judgedReportJson(incumbent).read(store));
  const { comparison, gate } = judged;
  return {
    run: toRunId(judging),
    verdict: gate.verdict,
    explanation: gate.explanation,
    accuracy: judged.accuracy,
    inputs: judged.total,
    costUsd: judged.costUsd === null ? null : judged.costUsd + (before?.costUsd ?? 0),
    against: comparison && {
      run: comparison.baseline,
      accuracyBefore: comparison.accuracy?.before ?? null,
      accuracyNow: comparison.accuracy?.now ?? null,
      pValue: comparison.pValue,
      lost: comparison.lost,
      gained: comparison.gained,
      flips: comparison.flips,
    },
    trainedOn,
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

/** In the order of pipeline.json. */
function toReportMetrics(
  names: readonly string[],
  metrics: Awaited<ReturnType<ReturnType<typeof trainingMetricsJson>['read']>>,
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

function changeNotes(
  changed: { readonly superseded: number; readonly deleted: number; readonly arrived: number } | undefined,
): string[] {
  const { superseded = 0, deleted = 0, arrived = 0 } = changed ?? {};
  return [
    ...(superseded > 0
      ? [
          `${superseded} of the files were overwritten since they were frozen: which content was trained on is not known`,
        ]
      : []),
    ...(deleted > 0 ? [`${deleted} of the files were deleted since they were frozen`] : []),
    ...(arrived > 0
      ? [
          `${plural(arrived, 'file')} came into the drop after it had been frozen: the job may have trained on them, and the next training of the drop has them, too`,
        ]
      : []),
  ];
}

/** Metrics that end in NaN or infinity: SageMaker's final value may be an earlier one. */
function noNumberNotes(series: TrainingMetrics['series']): string[] {
  const hosts = new Map<string, string[]>();
  for (const { metric, host, points } of series)
    if (points.at(-1)?.value === null) hosts.set(metric, [...(hosts.get(metric) ?? []), host]);
  return [...hosts].map(
    ([metric, of]) =>
      `the last value of the metric ${metric} in the log of ${of.join(', ')} is not a number: the training has diverged, or the group of the metric's expression takes more than the number along`,
  );
}

/** Null as soon as one price is not known. */
function totalCost(jobs: readonly TrainingJobRecord[]): number | null {
  return jobs.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  );
}
