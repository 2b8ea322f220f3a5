import type { FilePlace } from '../../input/file-place.ts';
import { LabelSums, type StoredLabelSums } from '../../judging/label-sums.ts';
import type { ClassScore } from '../../judging/suspect-label.ts';
import type { ResolvedPrediction } from '../../label/resolve-prediction.ts';
import { topScores } from '../../prediction/top-scores.ts';
import { type Mistake, toMistakeLine } from '../records/mistakes.ts';

/**
 * Scores kept of a mistake; in 95 % of mistakes they are enough to decide whether the label is worth a look, so that the output need not be
 * read again.
 */
const KEPT_SCORES = 5;
/** Lines are kept as bytes, since strings of a long list of small ones take several times the room. */
const CHUNK_CHARACTERS = 262_144;

/** A record with a label and a prediction. */
export interface LabeledRecord extends Pick<Mistake, keyof FilePlace | 'member'> {
  /** Names of the classes. */
  readonly truth: string;
  readonly predicted: string;
  /** Index of the true class's score, or negative if it has no score. */
  readonly truthIndex: number;
  readonly isRight: boolean;
  readonly prediction: Pick<ResolvedPrediction, 'score' | 'scores' | 'distribution'>;
  /** Whether the gate judges by the input. */
  readonly counts: boolean;
}

/** Evidence that a shard leaves for the search for labels worth a look: sums, and its mistakes as lines. */
export class LabelEvidence {
  readonly #sums = new LabelSums();
  readonly #chunks: Buffer[] = [];
  #lines = '';
  #mistakes = 0;

  add(record: LabeledRecord): void {
    const { truthIndex, prediction, isRight, counts } = record;
    const scores = prediction.distribution ? prediction.scores : undefined;
    const truthScore = scores?.[truthIndex];
    if (counts && truthScore !== undefined) this.#sums.add(truthIndex, truthScore);
    if (isRight) return;
    const { key, recordIndex, line, id, member, truth, predicted } = record;
    const best =
      scores === undefined || truthScore === undefined
        ? []
        : topScores(scores, KEPT_SCORES).map((index): ClassScore => [index, scores[index] ?? 0]);
    const found = { score: prediction.score ?? null, truthScore: truthScore ?? null, best, counts };
    const place = { key, recordIndex, line, id };
    this.#lines += toMistakeLine({ ...place, member, truth, predicted, ...found });
    this.#mistakes++;
    if (this.#lines.length > CHUNK_CHARACTERS) this.#keep();
  }

  finish(): { readonly stored: { sums: StoredLabelSums; mistakes: number }; readonly lines: Uint8Array } {
    this.#keep();
    return {
      stored: { sums: this.#sums.store(), mistakes: this.#mistakes },
      lines: Buffer.concat(this.#chunks),
    };
  }

  #keep(): void {
    this.#chunks.push(Buffer.from(this.#lines));
    this.#lines = '';
  }
}
