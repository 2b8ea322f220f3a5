import * as z from 'zod';
import { dollars, grouped, plural } from '../../text/figures.ts';
import type { Progress } from '../../transform/progress.ts';
import { toSize } from './size.ts';

/** The line shown for a state of batch-inference or endpoint when it has ended. */
export interface StepLine {
  readonly label: string;
  readonly text: string;
}

/** States in the order of a run without trouble, with the word shown while they run. */
export const STATE_LABELS: Readonly<Record<string, string>> = {
  SettleDrop: 'settle',
  WaitForQuiet: 'settle',
  PlanRun: 'plan',
  PrepareModel: 'model',
  StartTransform: 'transform',
  WaitForHardware: 'transform',
  WaitForQuota: 'train',
  CheckTransform: 'transform',
  WaitForTransform: 'transform',
  ReconcileOutputs: 'reconcile',
  FoldPredictions: 'fold',
  PlanTraining: 'plan',
  PackageSource: 'source',
  StartTraining: 'train',
  CheckTraining: 'train',
  WaitForTraining: 'train',
  RegisterModel: 'model',
  EvaluateModel: 'evaluate',
  WaitForEvaluation: 'evaluate',
  PromoteModel: 'promote',
  WriteTrainingReport: 'report',
  WriteReport: 'report',
  ReportFailure: 'report',
  Notify: 'notify',
  NotifyFailure: 'notify',
  DeployEndpoint: 'deploy',
  WaitForTurn: 'deploy',
  CheckEndpoint: 'endpoint',
  WaitForEndpoint: 'endpoint',
  TestEndpoint: 'test',
  RollBackEndpoint: 'roll back',
  CheckRollBack: 'roll back',
  WaitForRollBack: 'roll back',
  DeleteEndpoint: 'delete',
  WaitToDelete: 'delete',
  CheckDeletion: 'delete',
  WaitForDeletion: 'delete',
  FinishEndpoint: 'finish',
  FinishUntouched: 'finish',
  NotifyEndpoint: 'notify',
};

const Settled = z.object({ status: z.literal('frozen'), objects: z.number(), bytes: z.number() });
const Unsettled = z.object({ status: z.literal('waiting'), waitSeconds: z.number() });
const Planned = z.object({ jobs: z.number(), objects: z.number(), costQuoteUsd: z.number().nullable() });
const Predicted = z.object({ status: z.literal('predicted'), costQuoteUsd: z.number() });
const TrainingPlanned = z.object({ status: z.literal('planned'), costQuoteUsd: z.number().nullable() });
const Packaged = z.object({ sha256: z.string(), bytes: z.number() });
const Evaluated = z.object({
  status: z.literal('evaluated'),
  verdict: z.string(),
  candidateRun: z.string().nullable(),
});
const Promoted = z.object({ promotion: z.string() });
const Written = z.object({ status: z.string() });
const Model = z.object({ modelName: z.string() });
const FirstWait = z.object({ status: z.enum(['waiting', 'no-quota']), poll: z.literal(1) });
const Running = z.object({
  status: z.literal('running'),
  progress: z.object({ done: z.number(), total: z.number(), approximate: z.boolean() }),
});
const Ended = z.object({ status: z.literal('ended'), jobStatus: z.string() });
const Reconciled = z.object({
  next: z.literal('fold'),
  shards: z.number(),
  inputs: z.number(),
  missing: z.number(),
});
const Again = z.object({ next: z.literal('transform'), attempt: z.number() });
const EndpointAsked = z.object({
  status: z.string(),
  endpointName: z.string(),
  isCandidate: z.boolean(),
});
const EndpointChecked = z.object({ status: z.string(), reason: z.string().optional() });
const EndpointTested = z.object({ status: z.string(), tested: z.number(), reason: z.string().nullable() });
const EndpointFinished = z.object({ hardware: z.string().nullable(), expiresAt: z.string().nullable() });
const Reported = z.object({ status: z.string(), gate: z.string() });

/** Describes a state's output for a person; undefined for intermediate states (a wait, a poll). */
export function describeStep(state: string, output: unknown): StepLine | undefined {
  const line = (text: string): StepLine => ({ label: STATE_LABELS[state] ?? state, text });
  switch (state) {
    case 'SettleDrop': {
      const settled = Settled.safeParse(output);
      return settled.success
        ? line(
            `${plural(settled.data.objects, 'file')}, ${toSize(settled.data.bytes)}, frozen into a manifest`,
          )
        : undefined;
    }
    case 'PlanRun': {
      const predicted = Predicted.safeParse(output);
      if (predicted.success)
        return line(
          `no transform job, requests quoted at ${dollars(predicted.data.costQuoteUsd)} in the cloud`,
        );
      const planned = Planned.safeParse(output);
      if (!planned.success) return undefined;
      const { jobs, costQuoteUsd } = planned.data;
      const quote = costQuoteUsd === null ? 'price unknown' : `quote ${dollars(costQuoteUsd)} in the cloud`;
      return line(`${plural(jobs, 'transform job')}, ${quote}`);
    }
    case 'PlanTraining': {
      const planned = TrainingPlanned.safeParse(output);
      if (!planned.success) return undefined;
      const { costQuoteUsd } = planned.data;
      return line(costQuoteUsd === null ? 'price unknown' : `quote ${dollars(costQuoteUsd)} in the cloud`);
    }
    case 'PackageSource': {
      const packaged = Packaged.safeParse(output);
      return packaged.success
        ? line(`${packaged.data.sha256.slice(0, 12)}, ${toSize(packaged.data.bytes)}`)
        : undefined;
    }
    case 'StartTraining':
      return FirstWait.safeParse(output).success
        ? line('the quota of every instance type is in use: waiting for one')
        : undefined;
    case 'CheckTraining': {
      const ended = Ended.safeParse(output);
      return ended.success ? line(`job ${ended.data.jobStatus.toLowerCase()}`) : undefined;
    }
    case 'RegisterModel': {
      const packaged = Packaged.safeParse(output);
      return packaged.success
        ? line(`${packaged.data.sha256.slice(0, 12)}, ${toSize(packaged.data.bytes)}`)
        : undefined;
    }
    case 'EvaluateModel': {
      const evaluated = Evaluated.safeParse(output);
      if (!evaluated.success) return undefined;
      const { verdict, candidateRun } = evaluated.data;
      return line(candidateRun === null ? 'no evaluation set judges it' : `${candidateRun}, gate ${verdict}`);
    }
    case 'PromoteModel': {
      const promoted = Promoted.safeParse(output);
      return promoted.success ? line(promoted.data.promotion) : undefined;
    }
    case 'WriteTrainingReport': {
      const written = Written.safeParse(output);
      return written.success ? line(written.data.status) : undefined;
    }
    case 'PrepareModel': {
      const model = Model.safeParse(output);
      return model.success ? line(model.data.modelName) : undefined;
    }
    case 'StartTransform':
      return FirstWait.safeParse(output).success
        ? line('the quota of every instance type is in use: waiting for one')
        : undefined;
    case 'CheckTransform': {
      const ended = Ended.safeParse(output);
      return ended.success ? line(`job ${ended.data.jobStatus.toLowerCase()}`) : undefined;
    }
    case 'ReconcileOutputs': {
      const again = Again.safeParse(output);
      if (again.success) return line(`some inputs have no prediction yet: attempt ${again.data.attempt}`);
      const done = Reconciled.safeParse(output);
      if (!done.success) return undefined;
      const { inputs, missing } = done.data;
      return line(`${grouped(inputs - missing)} of ${plural(inputs, 'input')} have a prediction`);
    }
    case 'FoldPredictions':
      return line('predictions counted, rows written');
    case 'WriteReport':
    case 'ReportFailure': {
      const reported = Reported.safeParse(output);
      if (!reported.success) return undefined;
      const { status, gate } = reported.data;
      return line(gate === 'none' ? status : `${status}, gate ${gate}`);
    }
    case 'DeployEndpoint':
    case 'DeleteEndpoint':
    case 'RollBackEndpoint': {
      const asked = EndpointAsked.safeParse(output);
      if (!asked.success) return undefined;
      const { status, endpointName, isCandidate } = asked.data;
      if (status === 'unchanged') return line(`${endpointName} serves this model already`);
      return line(isCandidate ? `${endpointName}, to be tested before it takes over` : endpointName);
    }
    case 'CheckEndpoint': {
      const checked = EndpointChecked.safeParse(output);
      if (!checked.success || checked.data.status === 'waiting') return undefined;
      return line(checked.data.status === 'reached' ? 'in service' : (checked.data.reason ?? 'failed'));
    }
    case 'TestEndpoint': {
      const tested = EndpointTested.safeParse(output);
      if (!tested.success) return undefined;
      const { reason, tested: inputs } = tested.data;
      return line(reason ?? `${plural(inputs, 'real-time answer')} as batch transform gave`);
    }
    case 'FinishEndpoint': {
      const finished = EndpointFinished.safeParse(output);
      if (!finished.success) return undefined;
      const { hardware, expiresAt } = finished.data;
      if (hardware === null) return line('nothing serves');
      return line(
        `${hardware}, until ${expiresAt === null ? 'it is deleted' : `${expiresAt.slice(0, 16)}Z`}`,
      );
    }
    case 'Notify':
    case 'NotifyFailure':
    case 'NotifyEndpoint':
      return line('message sent');
    default:
      return undefined;
  }
}

/** Progress of the transform, if this state's output has it. */
export function progressOf(state: string, output: unknown): Progress | undefined {
  const running = state === 'CheckTransform' ? Running.safeParse(output) : undefined;
  return running?.success ? running.data.progress : undefined;
}

/** Seconds until a drop is looked at again, if this state's output says that files may still come. */
export function settlesIn(state: string, output: unknown): number | undefined {
  const waiting = state === 'SettleDrop' ? Unsettled.safeParse(output) : undefined;
  return waiting?.success ? waiting.data.waitSeconds : undefined;
}
