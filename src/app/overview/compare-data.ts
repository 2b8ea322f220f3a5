import type { CompareData, ComparedRun } from '../../api/console/comparison.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { holm } from '../../judging/holm.ts';
import { Condition } from '../../problem/conditions.ts';
import type { Report } from '../../report/report.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { UNJUDGED } from '../../tasks/unjudged.ts';
import { reportJson } from '../records/report.ts';
import { compareRuns } from '../report/compare-runs.ts';
import { toVerdict } from './run-rows.ts';

/** Runs that are compared at once: each costs a reading of all its rows. */
export const MAX_COMPARED = 8;

/**
 * Runs side by side, and each after the first against the first, by the labels of the later one.
 *
 * @throws {RequestProblem} `unknown-run` for a run without a report, `invalid-request` for more than `MAX_COMPARED`
 */
export async function compareData(store: ObjectStore, runs: readonly RunParts[]): Promise<CompareData> {
  requireFew(runs);
  const reports = await Promise.all(runs.map((run) => readReport(store, run)));
  const [first, ...others] = runs;
  const pairs: CompareData['pairs'][number][] = [];
  // One after another: memory holds a shard of two runs.
  for (const run of others) if (first !== undefined) pairs.push(await toPair(store, run, first));
  return { runs: reports.map(toComparedRun), pairs: corrected(pairs) };
}

/** Corrects the p values for their number: of several equal runs one differs by chance more often than each of them. */
export function corrected(pairs: CompareData['pairs']): CompareData['pairs'] {
  const tested = pairs.flatMap((pair) => ('pValue' in pair && pair.pValue !== null ? [pair.pValue] : []));
  const values = holm(tested).values();
  return pairs.map((pair) =>
    'pValue' in pair && pair.pValue !== null ? { ...pair, pValue: values.next().value ?? null } : pair,
  );
}

/** @throws {RequestProblem} */
export function requireFew(runs: readonly RunParts[]): void {
  if (runs.length > MAX_COMPARED)
    throw new RequestProblem(
      'invalid-request',
      `at most ${MAX_COMPARED} runs are compared at once, ${runs.length} were chosen`,
    );
}

async function readReport(store: ObjectStore, run: RunParts): Promise<Report> {
  const report = await reportJson(run).read(store);
  if (report !== undefined) return report;
  throw new RequestProblem(
    'unknown-run',
    `${toRunId(run)} has no report: it is still under way, or does not exist`,
  );
}

async function toPair(
  store: ObjectStore,
  run: RunParts,
  first: RunParts,
): Promise<CompareData['pairs'][number]> {
  const name = toRunId(run);
  try {
    const { comparison } = await compareRuns(store, run, first);
    const { inputs, relabeled, answered, sameClass, accuracy, pValue, exact, lost, gained, flips } =
      comparison;
    // What a page doesn't show isn't sent.
    const shown = { inputs, relabeled, answered, sameClass, accuracy, pValue, exact, lost, gained, flips };
    return { run: name, ...shown };
  } catch (error) {
    // Rows are removed after a time (retention), and a refused run has no rows: its figures are still worth a line.
    if (error instanceof Condition) return { run: name, reason: error.message };
    throw error;
  }
}

function toComparedRun(report: Report): ComparedRun {
  const { run, task, status, gate, createdAt, total, errors, accuracy, quality, costUsd, seconds, setup } =
    report;
  return {
    run,
    verdict: toVerdict({ status, gate: gate.verdict }),
    endedAt: createdAt,
    isJudged: UNJUDGED[task] === null,
    total,
    errors,
    accuracy,
    costUsd,
    seconds,
    interval: quality?.accuracyInterval ?? null,
    model: setup?.modelSha256 ?? null,
    gate: gate.isSet ? gate.explanation : '',
  };
}
