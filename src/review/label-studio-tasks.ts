import type { ReviewedHow } from '../label/label-changes.ts';
import type { ReviewSubject, ReviewTask } from './review-task.ts';
import { xmlText } from './xml-text.ts';

/** Names of the tags of the labeling configuration, which tasks and answers refer to. */
const CHOICES = 'label';
const PICTURE = 'image';

/**
 * A task with the model's prediction unless it is blind, in the JSON that Label Studio imports
 * (labelstud.io/guide/tasks, "Example JSON format", and /guide/predictions).
 */
export function labelStudioTask(
  { id, key, recordIndex, label, predicted, score, picture }: ReviewTask,
  { run }: Pick<ReviewSubject, 'run'>,
): object {
  return {
    data: {
      [PICTURE]: picture,
      id,
      ...(key !== null && { key, record_index: recordIndex, label: label ?? '' }),
    },
    ...(predicted !== null && {
      predictions: [
        {
          model_version: run,
          ...(score !== null && { score }),
          result: [
            { from_name: CHOICES, to_name: PICTURE, type: 'choices', value: { choices: [predicted] } },
          ],
        },
      ],
    }),
  };
}

/** The labeling configuration of a project for such tasks (labelstud.io/tags/choices). */
export function labelStudioConfig({ classes }: Pick<ReviewSubject, 'classes'>, how: ReviewedHow): string {
  const choices = classes.map((name) => `    <Choice value="${xmlText(name)}"/>`);
  return [
    '<View>',
    `  <Image name="${PICTURE}" value="${'$' + PICTURE}"/>`,
    ...(how === 'shown'
      ? ['  <Header value="$key" size="6"/>', '  <Header value="label: $label" size="5"/>']
      : []),
    `  <Choices name="${CHOICES}" toName="${PICTURE}" choice="single" required="true">`,
    ...choices,
    '  </Choices>',
    '</View>',
    '',
  ].join('\n');
}
