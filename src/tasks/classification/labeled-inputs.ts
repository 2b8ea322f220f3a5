import { ClassList } from '../../label/class-list.ts';
import { type ResolvedPrediction, resolvePrediction } from '../../label/resolve-prediction.ts';
import { readOutput } from '../../prediction/read-output.ts';
import { topScores } from '../../prediction/top-scores.ts';
import type { LabeledInput } from '../response.ts';
import type { TaskPlan } from '../task.ts';

/** The classes that an answer names, with their names, by the same rules as a run's predictions. */
export function labeledInputs(body: Uint8Array, plan: TaskPlan, input: string | null): LabeledInput[] {
  const classes = new ClassList(plan.labels.classes);
  return readOutput(body, plan.shape).map((prediction) => ({
    input,
    ...toLabeled(resolvePrediction(prediction, classes, plan.labels), classes, plan),
  }));
}

function toLabeled(
  { predicted, scores, score }: ResolvedPrediction,
  classes: ClassList,
  { labels, topK }: TaskPlan,
): Omit<LabeledInput, 'input'> {
  const ranked = (id: number, value: number | undefined) => ({
    label: classes.names[id] ?? `#${id}`,
    index: indexOf(id, classes),
    score: value !== undefined && Number.isFinite(value) ? value : null,
  });
  return {
    ...ranked(predicted, score),
    topK:
      scores === undefined
        ? []
        : topScores(scores, topK).map((place) =>
            ranked(classes.at(place + labels.classOffset), scores[place]),
          ),
  };
}

/** The model may name an index outside the list (`#17`), or an unlisted class. */
function indexOf(id: number, classes: ClassList): number | null {
  if (id < classes.listed) return id;
  const outside = /^#(-?\d+)$/.exec(classes.names[id] ?? '')?.[1];
  return outside === undefined ? null : Number(outside);
}
