import type { ServedVariant } from '../endpoint/served.ts';
import { ClassList } from '../label/class-list.ts';
import { type ResolvedPrediction, resolvePrediction } from '../label/resolve-prediction.ts';
import { readOutput } from '../prediction/read-output.ts';
import { topScores } from '../prediction/top-scores.ts';
import type { LabelledInput } from './api-schemas.ts';
import { RequestProblem } from './problem-details.ts';

/** The facts of a plan that are needed to read an endpoint's answer. */
export type LabelFacts = Pick<
  ServedVariant,
  'classes' | 'classOffset' | 'scores' | 'threshold' | 'single' | 'ids' | 'topK'
>;

/**
 * Labels the container's answer with class names, by the same rules as a run's predictions.
 *
 * @throws {RequestProblem} `unreadable-answer` if the answer is not a classification
 */
export function labelAnswer(
  body: Uint8Array,
  facts: LabelFacts,
  { oneRecord, input }: { readonly oneRecord: boolean; readonly input: string | null },
): readonly LabelledInput[] {
  const { classes: listed, classOffset, single, topK } = facts;
  const classes = new ClassList(listed);
  try {
    const predictions = readOutput(body, { scoreCount: listed.length - classOffset, oneRecord, single });
    return predictions.map((prediction) =>
      toLabelled(resolvePrediction(prediction, classes, facts), classes, { classOffset, topK, input }),
    );
  } catch (error) {
    if (!(error instanceof Error) || !UNREADABLE.has(error.name)) throw error;
    const detail = `${error.message}. Ask with ?raw=1 for the answer as the container returned it`;
    throw new RequestProblem('unreadable-answer', detail);
  }
}

const UNREADABLE = new Set(['OutputError', 'ClassCountMismatch', 'TooManyLabels']);

function toLabelled(
  resolved: ResolvedPrediction,
  classes: ClassList,
  { classOffset, topK, input }: { classOffset: number; topK: number; input: string | null },
): LabelledInput {
  const { predicted, scores, score } = resolved;
  const ranked = (id: number, value: number | undefined) => ({
    label: classes.names[id] ?? `#${id}`,
    index: indexOf(id, classes),
    score: value !== undefined && Number.isFinite(value) ? value : null,
  });
  return {
    input,
    ...ranked(predicted, score),
    topK:
      scores === undefined
        ? []
        : topScores(scores, topK).map((place) => ranked(classes.at(place + classOffset), scores[place])),
  };
}

/** The model may name an index outside the list (`#17`), or an unlisted class. */
function indexOf(id: number, classes: ClassList): number | null {
  if (id < classes.listed) return id;
  const outside = /^#(-?\d+)$/.exec(classes.names[id] ?? '')?.[1];
  return outside === undefined ? null : Number(outside);
}
