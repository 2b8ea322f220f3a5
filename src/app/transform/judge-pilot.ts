import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { TooManyLabels } from '../../label/class-list.ts';
import { taskPlan } from '../../plan/output-shape.ts';
import type { Plan } from '../../plan/plan.ts';
import { ClassCountMismatch, OutputError } from '../../prediction/output-error.ts';
import type { RunParts } from '../../run/run-id.ts';
import { TASKS } from '../../tasks/tasks.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { openOutputs } from '../outputs/open-outputs.ts';

const READS_AT_ONCE = 4;
/** Cap on the bytes of an answer that the pilot reads; the function has 1.7 GB. */
const MAX_BYTES = 32_000_000;

/** Verdict on a pilot's answers; `unjudged` if the engine itself failed before it called the model. */
export type PilotVerdict = 'passed' | 'unjudged' | { readonly reason: string };

/** Findings in the answers so far. */
interface Findings {
  answers: number;
  /** Answers with at least one record that the task can read. */
  readable: number;
  /** Answers with at least one class of `labels.classes`. */
  listed: number;
  /** The first record that cannot be read, and the first class that is not listed. */
  unreadable?: string;
  unlisted?: string;
}

/**
 * Reads the answers for a pilot's inputs as folding will. One bad input does not matter; the run is refused if no answer
 * could be counted, or if one shows that none can be.
 */
export async function judgePilot(
  store: ObjectStore,
  run: RunParts,
  plan: Plan,
  last: JobRecord,
): Promise<PilotVerdict> {
  const outputs = openOutputs(store, run, plan);
  const found: Findings = { answers: 0, readable: 0, listed: 0 };
  const look = lookInto(plan, found);
  try {
    const answers = inOrder(outputs.lookUp(plan.pilot), READS_AT_ONCE, async ([, answer]) =>
      answer !== undefined && answer.bytes > MAX_BYTES ? 'too-long' : outputs.read(answer?.key),
    );
    for await (const [[key], answer] of answers) if (answer !== undefined) look(key, answer);
  } catch (error) {
    if (error instanceof ClassCountMismatch || error instanceof TooManyLabels)
      return { reason: error.message };
    throw error;
  }
  if (found.answers === 0 && engineRules(last.engine).hasFailedItself(last)) return 'unjudged';
  const reason = reasonOf(found, plan, last);
  return reason === undefined ? 'passed' : { reason };
}

function lookInto(plan: Plan, found: Findings): (key: string, answer: Uint8Array | 'too-long') => void {
  const fold = TASKS[plan.labels.task].fold(taskPlan(plan));
  return (key, answer) => {
    found.answers++;
    if (answer === 'too-long') {
      found.readable++;
      found.listed++;
      return;
    }
    const unreadable = (error: unknown): void => {
      if (!(error instanceof OutputError)) throw error;
      found.unreadable ??= `${key}: ${error.message}`;
    };
    let isReadable = false;
    let isListed = false;
    try {
      for (const judge of fold.answers(answer, key)) {
        try {
          const { unlisted } = judge(undefined, { key, recordIndex: 0 });
          isReadable = true;
          if (unlisted === undefined) isListed = true;
          else found.unlisted ??= `${JSON.stringify(unlisted)} about ${key}`;
        } catch (error) {
          unreadable(error);
        }
      }
    } catch (error) {
      unreadable(error);
    }
    if (isReadable) found.readable++;
    if (isListed) found.listed++;
  };
}

function reasonOf(found: Findings, { labels, transform, pilot }: Plan, last: JobRecord): string | undefined {
  const { answers, readable, listed } = found;
  if (answers === 0) {
    const why = last.failureReason === undefined ? '' : ` with ${JSON.stringify(last.failureReason)}`;
    return (
      `pipeline.json: transform.contentType is ${JSON.stringify(transform.contentType)}, and none of the pilot's ${pilot.length} inputs ` +
      `got an answer: transform job ${last.jobName} ended ${last.status}${why}. ` +
      `${engineRules(last.engine).logPlace(last)}. Correct the model, its handler or transform.contentType`
    );
  }
  if (readable === 0) {
    return (
      `pipeline.json: transform.accept is ${JSON.stringify(transform.accept)}, and none of the pilot's ${answers} answers ` +
      `${TASKS[labels.task].readable}: ${found.unreadable ?? 'they hold no record'}. Correct the model's signature, ` +
      'its handler, transform.accept or labels'
    );
  }
  if (listed === 0) {
    return (
      `pipeline.json: labels.classes lists ${labels.classes.length} classes, and none of the pilot's ${readable} answers names one of ` +
      `them, but ${found.unlisted}. List the classes as the model names them, or set labels.classOffset`
    );
  }
  return undefined;
}
