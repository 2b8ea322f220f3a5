import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { planJson } from '../../app/records/plan.ts';
import { reportJson } from '../../app/records/report.ts';
import { trainingPlanJson } from '../../app/records/training-plan.ts';
import { trainingReportJson } from '../../app/records/training-report.ts';
import type { ExecutionDescription } from '../../aws/states/executions.ts';
import { causeText, failureText } from '../../problem/cause-text.ts';
import type { Report } from '../../report/report.ts';
import { trainingLines } from '../../report/training/training-markdown.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { toExecutionName } from '../../run/execution-name.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { type Application, laptopInUse } from '../application.ts';
import { saveReport } from '../files/save-report.ts';
import { tellAtInterrupt } from '../laptop/tell-at-interrupt.ts';
import { Refusal } from '../refusal.ts';
import { followRun } from '../show/follow-run.ts';
import { summaryLines } from '../show/summary-lines.ts';
import { type Terminal, visible } from '../show/terminal.ts';
import { EXIT, exitCode, toRun, trainingExitCode } from './run-result.ts';

/** The result of a run for the command that waited for it. */
export interface FinishedRun {
  readonly report: Report;
  /** Whether it ended with predictions, whatever its gate decided. */
  readonly success: boolean;
  /** Exit code of the command. */
  readonly code: number;
}

/** Interval between polls of an execution in AWS, which limits the rate of its API. */
const INTERVAL_MS = 2_000;
const LOCAL_INTERVAL_MS = 200;
/** Time for an execution to appear: the events of an upload first pass through EventBridge and SQS. */
const APPEAR_WITHIN_MS = 180_000;

/**
 * Follows a run to its end.
 *
 * @throws {Error} if its execution never starts, or stops without a report
 */
export async function awaitRun(
  application: Application,
  run: string,
  terminal: Terminal,
): Promise<FinishedRun> {
  const parts = toRun(run);
  const description = await followToEnd(application, parts, terminal);
  const report = await reportJson(parts).read(application.store);
  if (report) {
    const code = exitCode(report);
    return { report, success: code !== EXIT.failure, code };
  }
  throw withoutReport(run, description);
}

async function followToEnd(
  application: Application,
  run: RunParts,
  terminal: Terminal,
): Promise<ExecutionDescription> {
  const executions = application.executions(run.kind);
  try {
    return await followRun(executions, executions.arnOf(toExecutionName(run)), terminal, {
      intervalMs: process.env.AWS_ENDPOINT_URL === undefined ? INTERVAL_MS : LOCAL_INTERVAL_MS,
      appearWithinMs: APPEAR_WITHIN_MS,
    });
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    throw new Refusal(
      `${process.env.AWS_ENDPOINT_URL ?? 'AWS'} does not answer any more. The run goes on there, and a stack on this machine takes it up ` +
        `when it starts again: inferdrop watch ${quoted(toRunId(run))}`,
    );
  }
}

const LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'];

/** Whether an error of a call, or the error that it was renamed from, says that the connection broke or could not be made. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && LOST.includes(String(error.code))) || isLostConnection(error.cause);
}

function withoutReport(run: string, { status, error, cause }: ExecutionDescription): Error {
  const failure = { error: error ?? '', cause: causeText({ error: error ?? '', cause: cause ?? '' }) };
  return new Error(`${run} ended ${status} without a report: ${failureText(failure)}`);
}

interface Finishing {
  readonly json: boolean;
  readonly startedAt: number;
  /** Folder that the report is saved below, for a stack that stops (with its links) when this command does. */
  readonly saveBelow?: string | undefined;
}

/** Shows a training to its end, prints its result, and returns the exit code. */
async function finishTraining(
  application: Application,
  run: string,
  terminal: Terminal,
  { json, startedAt, saveBelow }: Finishing,
): Promise<number> {
  const parts = toRun(run);
  const { store } = application;
  const description = await followToEnd(application, parts, terminal);
  const report = await trainingReportJson(parts).read(store);
  if (report === undefined) throw withoutReport(run, description);
  const { status, evaluation, promotion, costUsd, lineage } = report;
  if (json) {
    const { report: location, url } = await placeOf(application, run);
    const seconds = secondsSince(startedAt);
    const judged = { gate: evaluation?.verdict ?? 'none', accuracy: evaluation?.accuracy ?? null };
    const model = lineage.model?.sha256 ?? null;
    const figures = { ...judged, promotion: promotion?.promotion ?? null, model, costUsd };
    terminal.print(JSON.stringify({ run, status, ...figures, report: location, seconds, url }));
  } else {
    for (const line of trainingLines(report, laptopInUse() === undefined)) terminal.print(visible(line));
    await printPlace(application, run, terminal, saveBelow);
  }
  const plan = await trainingPlanJson(parts).read(store);
  return trainingExitCode({ status, evaluation, promotion, asked: plan?.after.promote ?? 'ask' });
}

/** Address of a run's report, and a link that opens it within an hour. */
async function placeOf(
  { bucket, links }: Application,
  run: string,
): Promise<{ readonly report: string; readonly url: string }> {
  const key = bucketLayout.reportHtml(toRun(run));
  return { report: `s3://${bucket}/${key}`, url: await links(key) };
}

/** Prints where a report is, and how to open it. */
async function printPlace(
  application: Application,
  run: string,
  terminal: Terminal,
  saveBelow: string | undefined,
): Promise<void> {
  if (saveBelow !== undefined) {
    const file = await saveReport(application.store, toRun(run), path.join(saveBelow, run));
    return terminal.print(`Report: ${pathToFileURL(file).href}`);
  }
  const { report } = await placeOf(application, run);
  terminal.print(`Report: ${report}`);
  terminal.print(`To open it: inferdrop open ${quoted(run)}`);
}

/** The end of `--wait`: shows the run, prints its result, and returns the exit code. */
export async function finishRun(
  application: Application,
  run: string,
  terminal: Terminal,
  finishing: Finishing,
): Promise<number> {
  const takeBack = tellThatItGoesOn(run, terminal);
  try {
    return await FINISH[toRun(run).kind](application, run, terminal, finishing);
  } finally {
    takeBack();
  }
}

/** Says at Ctrl-C that a run goes on, and how to come back to it; the returned function takes that back. */
export function tellThatItGoesOn(run: string, terminal: Terminal): () => void {
  return tellAtInterrupt(
    () =>
      `${run} goes on: inferdrop watch ${quoted(run)} shows it again, inferdrop cancel ${quoted(run)} stops it`,
    terminal,
  );
}

const FINISH: ByRunKind<typeof finishTraining> = { inference: finishInference, training: finishTraining };

async function finishInference(
  application: Application,
  run: string,
  terminal: Terminal,
  finishing: Finishing,
): Promise<number> {
  const { json, startedAt, saveBelow } = finishing;
  const { report, code } = await awaitRun(application, run, terminal);
  if (json) {
    const { report: location, url } = await placeOf(application, run);
    terminal.print(JSON.stringify({ ...toResult(report, location, startedAt), url }));
  } else {
    for (const line of summaryLines(report, terminal)) terminal.print(line);
    const plan = await planJson(toRun(run)).read(application.store);
    if (report.gate.verdict === 'passed' && plan?.endpoint?.deploy === 'when-gate-passes')
      terminal.print(deployingLine(toRun(run).pipeline));
    await printPlace(application, run, terminal, saveBelow);
  }
  return code;
}

/** The line after a run with a model that is being deployed. */
function deployingLine(pipeline: string): string {
  return (
    'Its model is being deployed now, and the run does not wait for that: inferdrop endpoints shows when it serves; ' +
    `then inferdrop predict FILE --pipeline ${pipeline}`
  );
}

/** The last line of `--json`: a run's result for scripts. */
export function toResult(report: Report, location: string, startedAt: number) {
  const { run, status, total, correct, accuracy, errors, errorsByReason, costUsd } = report;
  const gate = report.gate.verdict;
  return {
    run,
    status,
    gate,
    total,
    correct,
    accuracy,
    errors,
    errorsByReason,
    costUsd,
    report: location,
    seconds: secondsSince(startedAt),
  };
}

/** Seconds to a tenth. */
function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}
