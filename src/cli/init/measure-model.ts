import { type Tensor, UnsupportedModel } from '@inferdrop/savedmodel/servable-model';
import type { LabeledAnswer } from '../../init/class-order.ts';
import { isDistribution } from '../../init/to-probabilities.ts';

/** An input of this machine with its label. */
export interface LabeledInput {
  readonly name: string;
  readonly label: string;
  /** One record, as the model's only input. */
  read(): Promise<Tensor>;
}

/** Answers of a model to labeled inputs. */
export interface Measured {
  readonly answers: readonly LabeledAnswer[];
  /** Whether all scores are probabilities: they add up to 1, or a single one lies between 0 and 1; undefined without answers. */
  readonly areProbabilities: boolean | undefined;
  /** Why some have no answer: inputs that the model can't read, or a model that runs only in TensorFlow. */
  readonly unanswered: readonly string[];
}

/** A model that scores classes on this machine. */
export interface Measurable {
  readonly classes: number;
  /** One number a record: the second of two classes. */
  readonly isSingle: boolean;
  /** @throws {UnsupportedModel} for a model that runs only in TensorFlow */
  open(): Promise<Scorer>;
}

interface Scorer {
  /** Scores of the classes for one record, or the reason for a refusal. */
  score(input: Tensor): Promise<readonly number[] | { readonly refused: string }>;
  close(): Promise<void>;
}

/**
 * Lets the model answer inputs, one after another, on this machine.
 *
 * @throws {BrokenModel}
 */
export async function measureModel(model: Measurable, inputs: readonly LabeledInput[]): Promise<Measured> {
  if (inputs.length === 0) return { answers: [], areProbabilities: undefined, unanswered: [] };
  try {
    return await answersOf(model, inputs);
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    return { answers: [], areProbabilities: undefined, unanswered: [error.message] };
  }
}

async function answersOf({ open, isSingle }: Measurable, inputs: readonly LabeledInput[]): Promise<Measured> {
  const scored: { readonly label: string; readonly scores: readonly number[] }[] = [];
  const unanswered: string[] = [];
  const model = await open();
  try {
    for (const { name, label, read } of inputs) {
      const scores = await model.score(await read());
      if ('refused' in scores) unanswered.push(`${name}: ${scores.refused}`);
      else scored.push({ label, scores });
    }
  } finally {
    await model.close();
  }
  const areProbabilities = scored.every(({ scores }) => isDistribution(scores));
  const answers = scored.map(({ label, scores }) => ({
    label,
    index: isSingle
      ? Number((scores[0] ?? 0) > (areProbabilities ? 0.5 : 0))
      : scores.indexOf(Math.max(...scores)),
  }));
  return { answers, areProbabilities: scored.length === 0 ? undefined : areProbabilities, unanswered };
}
