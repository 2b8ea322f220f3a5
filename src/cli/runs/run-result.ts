import type { RunSummary } from '../../app/records/run-index.ts';
import type { Report } from '../../report/report.ts';
import { isUncompleted } from '../../report/run-status.ts';
import type { TrainingReport } from '../../report/training/training-report.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { UsageError } from '../usage-error.ts';

/** @throws {UsageError} for text that is not the name of a run */
export function toRun(text: string): RunParts {
  const run = parseRunId(text);
  if (run) return run;
  throw new UsageError(`RUN must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001, is ${text}`);
}

/**
 * Exit codes of commands that wait for a run; 2 stands for a wrong command line. A gate that did not pass has its own code, since
 * the run's predictions exist.
 */
export const EXIT = { success: 0, failure: 1, gateNotPassed: 3 } as const;

/** The exit code for the end of a run; a gate that could not decide has not passed. */
export function exitCode({
  status,
  gate,
}: {
  readonly status: string;
  readonly gate: Pick<Report['gate'], 'verdict' | 'isSet'>;
}): number {
  if (isUncompleted(status)) return EXIT.failure;
  const isOpen = gate.verdict === 'none' && gate.isSet;
  return gate.verdict === 'failed' || isOpen ? EXIT.gateNotPassed : EXIT.success;
}

/** A gate's verdict in a list of runs: one without a verdict isn't a pipeline without a gate. */
export function gateWord({ gate, gateIsSet }: Pick<RunSummary, 'gate' | 'gateIsSet'>): string {
  return gate === 'none' && gateIsSet === true ? 'no verdict' : gate;
}

/**
 * The exit code for the end of a training. It hasn't passed if its model was refused, or neither serves nor is promoted although
 * `after.promote` is "when-gate-passes".
 */
export function trainingExitCode({
  status,
  evaluation,
  promotion,
  asked,
}: Pick<TrainingReport, 'status' | 'evaluation' | 'promotion'> & {
  readonly asked: TrainingPlan['after']['promote'];
}): number {
  const gate = evaluation ?? { verdict: 'none', isSet: false };
  const code = exitCode({ status, gate });
  if (code !== EXIT.success || status === 'empty') return code;
  const outcome = promotion?.promotion;
  const isLeft = asked === 'when-gate-passes' && outcome !== 'promoted' && outcome !== 'kept';
  return isLeft || outcome === 'refused' ? EXIT.gateNotPassed : EXIT.success;
}
