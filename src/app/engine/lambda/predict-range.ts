import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import type { Input } from '../../../input/input.ts';
import { toAnswerText } from '../../../text/answer-text.ts';
import { toAnswerLine, toErrorLine } from '../../../transform/output-bundle.ts';
import type { Piece, Range } from '../../../transform/shard-progress.ts';
import { neighborReader } from '../../records/open-input.ts';
import type { PredictingPlan } from '../../records/predicting-plan.ts';
import type { PredictingModel } from './predicting-model.ts';

/** Inputs that are read while others are with the model; as many bytes of them are held at most, but for a single one. */
export const READS_AT_ONCE = 16;
const HELD_BYTES = 64 * 2 ** 20;
/** Statuses of a container with a dead or late script. An input that was sent along with others may be innocent. */
const LOST = [502, 504];
/** Cap on the text of a refusal in errors.csv. */
const MAX_MESSAGE = 500;

/** Services that answer inputs. */
export interface PredictServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/** The answers for the beginning of a range, a line each. */
interface PredictedRange extends Piece {
  readonly lines: string;
  /** Inputs after the range that were with the model when its script was lost: each is to be sent on its own. */
  readonly suspects: number;
  /** Whether the rest has no time left in this call. */
  readonly isLate: boolean;
  /** Milliseconds for each input, sent along with others; 0 if none was answered. */
  readonly msEach: number;
}

/**
 * Answers neighboring inputs in order until all are done, the pending ones would be late, or the script is lost and must start
 * again; at least one.
 *
 * @param at the deadline for all answers, the maximum in flight, and the milliseconds that each earlier input took; 0 if unknown
 */
export async function predictRange(
  inputs: readonly Input[],
  [from, upTo]: Range,
  { deadline, most, msEach }: { readonly deadline: number; readonly most: number; readonly msEach: number },
  { plan, model }: { readonly plan: PredictingPlan; readonly model: PredictingModel },
  { store, clock }: PredictServices,
): Promise<PredictedRange> {
  const asked = inputs.slice(from, upTo);
  const read = neighborReader(store.in(plan.input.bucket), asked);
  const largest = asked.reduce((most, { size }) => Math.max(most, size), 1);
  const atOnce = Math.max(1, Math.min(most, Math.floor(HELD_BYTES / largest)));
  const began = clock().getTime();
  const failed: [number, number][] = [];
  let lines = '';
  let place = from;
  let isOver = false;
  let isLate = false;
  const each = (): number => (place === from ? msEach : (clock().getTime() - began) / (place - from));
  function* untilLate(): Generator<Input> {
    for (const [at, input] of asked.entries()) {
      const unanswered = from + at + 1 - place;
      isLate = at > 0 && clock().getTime() + unanswered * each() >= deadline;
      if (isLate) return;
      yield input;
    }
  }
  for await (const [{ name }, answer] of inOrder(untilLate(), atOnce, async (input) => {
    const body = await read(input);
    if (isOver) return LEFT;
    const answer = await answerInput(body, { plan, model });
    isOver ||= atOnce > 1 && isLost(answer);
    return answer;
  })) {
    if (answer === LEFT || isLost(answer)) {
      await model.renewScript();
      if (isOver) {
        const suspects = Math.min(atOnce, upTo - place);
        return { range: [from, place], failed, lines, suspects, isLate: false, msEach: each() };
      }
    }
    if ('message' in answer) failed.push([place, answer.status]);
    lines += 'message' in answer ? toErrorLine(name, answer) : toAnswerLine(name, answer.body);
    place += 1;
  }
  return { range: [from, place], failed, lines, suspects: 0, isLate, msEach: each() };
}

/** Stands for the answer to an input that is not asked any more. */
const LEFT: Answered = { status: 0, message: '' };

type Answered = { readonly body: Uint8Array } | { readonly status: number; readonly message: string };

function isLost(answer: Answered): boolean {
  return 'message' in answer && LOST.includes(answer.status);
}

async function answerInput(
  body: Uint8Array | undefined,
  { plan: { transform }, model }: { readonly plan: PredictingPlan; readonly model: PredictingModel },
): Promise<Answered> {
  if (body === undefined) return { status: 404, message: 'it was deleted or overwritten before it was read' };
  const { contentType, accept } = transform;
  try {
    const answer = await model.answer({ body, contentType, accept });
    const bytes = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    if (answer.status === 200) return { body: bytes };
    const said = toAnswerText(Buffer.from(bytes).toString('utf8', 0, 4 * MAX_MESSAGE));
    return { status: answer.status, message: said.slice(0, MAX_MESSAGE) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { status: 500, message: `the model failed: ${said.slice(0, MAX_MESSAGE)}` };
  }
}
