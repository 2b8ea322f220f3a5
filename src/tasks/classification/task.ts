import { ClassList } from '../../label/class-list.ts';
import { resolvePrediction } from '../../label/resolve-prediction.ts';
import { readOutput } from '../../prediction/read-output.ts';
import { type ComparableAnswer, disagreement } from '../agreement.ts';
import type { Task, TaskPlan } from '../task.ts';
import { ClassificationFold } from './fold.ts';
import { labeledInputs } from './labeled-inputs.ts';

/** One class of `labels.classes` for each record. */
export const classification: Task = {
  readable: 'is a classification',
  fold: (plan) => new ClassificationFold(plan),
  responses: labeledInputs,
  disagreement(batch, live, plan) {
    const [before, now] = [batch, live].map((output) => comparable(output, plan));
    return before && now && disagreement(before, now);
  },
};

function comparable(output: Uint8Array, { labels, shape }: TaskPlan): ComparableAnswer | undefined {
  const [prediction] = readOutput(output, shape);
  return prediction && resolvePrediction(prediction, new ClassList(labels.classes), labels);
}
