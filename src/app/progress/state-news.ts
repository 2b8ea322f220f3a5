import * as z from 'zod';
import { READING_TITLE } from '../../label/reading-text.ts';
import { moment } from '../../text/dates.ts';
import { dollars, grouped, plural } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { Progress } from '../../transform/progress.ts';
import { settleDrop } from '../drop/settle-drop.ts';
import { checkEndpoint } from '../endpoint/check-endpoint.ts';
import { deleteEndpoint } from '../endpoint/delete-endpoint.ts';
import { deployEndpoint } from '../endpoint/deploy-endpoint.ts';
import { finishEndpoint } from '../endpoint/finish-endpoint.ts';
import { rollBackEndpoint } from '../endpoint/roll-back-endpoint.ts';
import { testEndpoint } from '../endpoint/test-endpoint.ts';
import { planRun } from '../plan/plan-run.ts';
import { writeReport } from '../report/write-report.ts';
import { checkTraining } from '../training/check-training.ts';
import { evaluateModel } from '../training/evaluate-model.ts';
import { packageSource } from '../training/package-source.ts';
import { planTraining } from '../training/plan-training.ts';
import { promoteModel } from '../training/promote-model.ts';
import { registerModel } from '../training/register-model.ts';
import { startTraining } from '../training/start-training.ts';
import { writeTrainingReport } from '../training/write-training-report.ts';
import { checkTransform } from '../transform/check-transform.ts';
import { judgeRound } from '../transform/judge-round.ts';
import { prepareModel } from '../transform/prepare-model.ts';
import { reconcileOutputs } from '../transform/reconcile-outputs.ts';
import { startTransform } from '../transform/start-transform.ts';

type RunningTraining = Extract<z.infer<typeof checkTraining.output>, { readonly status: 'running' }>;
/** State of a running training at one look. */
export type TrainingProgress = Pick<RunningTraining, 'secondaryStatus' | 'metrics' | 'lastLines'>;

/** News of a state that has ended: the line that stands from now on, or what is shown while it goes on. */
export type StateNews =
  | {
      readonly kind: 'line';
      readonly text: string;
      readonly isFailure?: true;
      /** Further lines. */
      readonly details?: readonly string[];
    }
  /** Files may still come: the drop is looked at again after `waitSeconds`. */
  | { readonly kind: 'settling'; readonly waitSeconds: number }
  | { readonly kind: 'transform'; readonly progress: Progress }
  | { readonly kind: 'training'; readonly progress: TrainingProgress };

interface ShownState {
  readonly label: string;
  readonly news: (output: unknown) => StateNews | undefined;
}

/** A state without news of its own: a wait, or one that another state speaks for. */
const quiet = (label: string): ShownState => ({ label, news: () => undefined });

const always = (label: string, text: string): ShownState => ({ label, news: () => ({ kind: 'line', text }) });

/** A state that gives `output`, usually a use case's. An output of another form has no news: another machine's state may have the name. */
function shown<O extends z.ZodType>(
  label: string,
  { output: schema }: { readonly output: O },
  toNews: (output: z.infer<O>) => StateNews | string | undefined,
): ShownState {
  return {
    label,
    news: (output) => {
      const parsed = schema.safeParse(output);
      const news = parsed.success ? toNews(parsed.data) : undefined;
      return typeof news === 'string' ? { kind: 'line', text: news } : news;
    },
  };
}

const NO_QUOTA = 'the quota of every instance type is in use: waiting for one';

const toQuote = (usd: number | null): string =>
  usd === null ? 'price unknown' : `quote ${dollars(usd)} in the cloud`;

const toArchive = ({ sha256, bytes }: { readonly sha256: string; readonly bytes: number }): string =>
  `${sha256.slice(0, 12)}, ${toSize(bytes)}`;

const endpointChecked = (label: string, reached: string): ShownState =>
  shown(label, checkEndpoint, (checked) => {
    if (checked.status === 'reached') return reached;
    return checked.status === 'failed' ? failure(checked.reason) : undefined;
  });

const reported = { output: z.union([writeReport.output, writeTrainingReport.output]) };

/** States of batch-inference, training and endpoint that work or wait, each with its label and its news. */
const STATES: Readonly<Record<string, ShownState>> = {
  SettleDrop: shown('settle', settleDrop, (settled) => {
    if (settled.status === 'waiting') return { kind: 'settling', waitSeconds: settled.waitSeconds };
    if (settled.status !== 'frozen') return undefined;
    return `${plural(settled.objects, 'file')}, ${toSize(settled.bytes)}, frozen into a manifest`;
  }),
  WaitForQuiet: quiet('settle'),
  WaitForTurn: quiet('queue'),

  PlanRun: shown('plan', planRun, (planned) => {
    if (planned.status === 'waiting') return undefined;
    if (planned.status === 'index') return `${plural(planned.tars, 'file')} to open`;
    const text =
      planned.status === 'planned'
        ? `${plural(planned.jobs, engineRules({ name: planned.engine }).jobTitle)}, ${toQuote(planned.costQuoteUsd)}`
        : `no transform job, requests quoted at ${dollars(planned.costQuoteUsd)} in the cloud`;
    return {
      kind: 'line',
      text,
      ...(planned.labels.length > 0 && { details: [READING_TITLE, ...planned.labels] }),
    };
  }),
  IndexTars: always('index', 'tars and tables opened: each member or record is an input'),
  PrepareModel: shown(
    'model',
    prepareModel,
    ({ modelName }) => modelName ?? 'functions cannot run the model: the run is planned again for instances',
  ),
  StartTransform: shown('transform', startTransform, (started) =>
    started.status === 'waiting' && started.poll === 1 ? NO_QUOTA : undefined,
  ),
  BundleInputs: always('bundle', 'inputs put into bundles, each one request'),
  WaitForHardware: quiet('transform'),
  CheckTransform: shown('transform', checkTransform, (checked) => {
    if (checked.status === 'running') return { kind: 'transform', progress: checked.progress };
    return checked.status === 'ended' ? toJobEnd(checked.jobStatus) : undefined;
  }),
  WaitForTransform: quiet('transform'),
  ReconcileOutputs: shown('reconcile', reconcileOutputs, (reconciled) => {
    if (reconciled.next === 'reconcile') return undefined;
    if (reconciled.next === 'transform')
      return `the next job takes the inputs without a prediction: attempt ${reconciled.attempt}`;
    if (reconciled.next === 'plan')
      return 'the first bundle has no usable answer: the run is planned again without bundles';
    const { inputs, missing } = reconciled;
    return `${grouped(inputs - missing)} of ${plural(inputs, 'input')} ${inputs === 1 ? 'has' : 'have'} a prediction`;
  }),
  FoldPredictions: always('fold', 'predictions counted, rows written'),
  JudgeRound: shown('round', judgeRound, (judged) => {
    const drawn = `${grouped(judged.inputs)} of ${plural(judged.of, 'input')}`;
    if (judged.next === 'transform') return `not decided yet: the next round makes it ${drawn}`;
    return judged.verdict === 'undecided'
      ? `not decided by ${drawn}, and no further round is sent`
      : `decided after ${drawn}: the gate has ${judged.verdict}`;
  }),
  WriteReport: shown('report', writeReport, toVerdict),

  PlanTraining: shown('plan', planTraining, (planned) =>
    planned.status === 'planned' ? [toQuote(planned.costQuoteUsd), ...planned.notes].join('; ') : undefined,
  ),
  PackageSource: shown('source', packageSource, toArchive),
  StartTraining: shown('train', startTraining, (started) =>
    started.status === 'no-quota' && started.poll === 1 ? NO_QUOTA : undefined,
  ),
  WaitForQuota: quiet('train'),
  CheckTraining: shown('train', checkTraining, (checked) => {
    if (checked.status === 'running') return { kind: 'training', progress: checked };
    return checked.status === 'ended' ? toJobEnd(checked.jobStatus) : undefined;
  }),
  WaitForTraining: quiet('train'),
  RegisterModel: shown('model', registerModel, toArchive),
  EvaluateModel: shown('evaluate', evaluateModel, (evaluated) => {
    if (evaluated.status === 'waiting') return undefined;
    const { candidateRun, verdict } = evaluated;
    return candidateRun === null ? 'no evaluation set judges it' : `${candidateRun}, gate ${verdict}`;
  }),
  WaitForEvaluation: quiet('evaluate'),
  PromoteModel: shown('promote', promoteModel, ({ promotion }) => promotion),
  WriteTrainingReport: shown('report', writeTrainingReport, toVerdict),

  ReportFailure: shown('report', reported, toVerdict),
  Notify: always('notify', 'message sent'),
  NotifyFailure: always('notify', 'message sent'),

  DeployEndpoint: shown('deploy', deployEndpoint, (asked) => {
    if (asked.status === 'busy') return undefined;
    if (asked.status === 'unchanged') return `${asked.endpointName} serves this model already`;
    return asked.isCandidate
      ? `${asked.endpointName}, to be tested before it takes over`
      : asked.endpointName;
  }),
  NotifyNotDeployed: always('notify', 'message sent'),
  CheckEndpoint: endpointChecked('endpoint', 'in service'),
  WaitForEndpoint: quiet('endpoint'),
  TestEndpoint: shown('test', testEndpoint, ({ reason, tested }) =>
    reason === null ? `${plural(tested, 'real-time answer')} as batch transform gave` : failure(reason),
  ),
  RollBackEndpoint: shown('roll back', rollBackEndpoint, (asked) =>
    asked.status === 'started' ? asked.endpointName : undefined,
  ),
  WaitToRollBack: quiet('roll back'),
  CheckRollBack: endpointChecked('roll back', 'as it was'),
  WaitForRollBack: quiet('roll back'),
  DeleteEndpoint: shown('delete', deleteEndpoint, (asked) => {
    if (asked.status === 'busy') return undefined;
    return asked.status === 'kept' ? 'deployed again meanwhile: kept' : asked.endpointName;
  }),
  WaitToDelete: quiet('delete'),
  CheckDeletion: endpointChecked('delete', 'deleted'),
  WaitForDeletion: quiet('delete'),
  FinishEndpoint: shown('finish', finishEndpoint, toServing),
  FinishUntouched: shown('finish', finishEndpoint, (left) => `nothing was changed: ${toServing(left)}`),
  NotifyEndpoint: always('notify', 'message sent'),
};

/** Whether the machine waits in this state for something outside of it, which is not work of the run. */
export function isWait(state: string): boolean {
  return WAITS.includes(state);
}

/** States in which a run waits for files, a turn or hardware; while a job runs, the run works. */
const WAITS = [
  'SettleDrop',
  'WaitForQuiet',
  'WaitForTurn',
  'WaitForHardware',
  'WaitForQuota',
  'WaitToRollBack',
  'WaitToDelete',
];

/** Label of a state that people see; undefined for a choice or an end. */
export function shownLabel(state: string): string | undefined {
  return STATES[state]?.label;
}

/** The word shown while a state runs and before its line. */
export function stateLabel(state: string): string {
  return STATES[state]?.label ?? state;
}

/** Describes the output of a state for a person; undefined if there is nothing to say, as for a wait. */
export function stateNews(state: string, output: unknown): StateNews | undefined {
  return STATES[state]?.news(output);
}

function toJobEnd(jobStatus: string): StateNews | string {
  const text = `job ${jobStatus.toLowerCase()}`;
  return jobStatus === 'Completed' ? text : failure(text);
}

function failure(text: string): StateNews {
  return { kind: 'line', text, isFailure: true };
}

function toVerdict({ status, gate = 'none' }: { readonly status: string; readonly gate?: string }): string {
  return gate === 'none' ? status : `${status}, gate ${gate}`;
}

function toServing({ hardware, expiresAt }: z.infer<typeof finishEndpoint.output>): string {
  if (hardware === null) return 'nothing serves';
  return `${hardware}, until ${expiresAt === null ? 'it is deleted' : moment(expiresAt)}`;
}
