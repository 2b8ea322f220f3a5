import { changedLabels, type ReportedLabelChanges } from '../../label/label-changes.ts';
import { grouped, percent, plural } from '../../text/figures.ts';

/** Sentences on the labels that help the model, for a gate that judges by those before, too, and what to do about late ones. */
export function labelChangesText(changes: ReportedLabelChanges): string {
  const remedy =
    changes.addedRight > 0
      ? ' If labels are outcomes that nobody can choose, state "labels": {"outcomes": true} in pipeline.json.'
      : '';
  return `${plural(changedLabels(changes), 'label')} changed since the answers of ${runsText(changes)}, ${grouped(changes.seenToward)} of them in favor of the model and without a blind review.${remedy}`;
}

/** Changed labels as a note: since when, which way, by whom, and the accuracy without them. */
export function labelChangesNote(changes: ReportedLabelChanges): string {
  const { toward, away, other, added, addedRight, removed, seenToward, right, labeled } = changes;
  const parts = [
    ...(toward > 0 ? [`${grouped(toward)} to the model's answer`] : []),
    ...(away > 0 ? [`${grouped(away)} away from it`] : []),
    ...(other > 0 ? [`${grouped(other)} between other classes`] : []),
    ...(added > 0
      ? [`${plural(added, 'first label')}, ${grouped(addedRight)} of them the model's answer`]
      : []),
    ...(removed > 0 ? [`${grouped(removed)} taken away`] : []),
  ];
  const people = changes.by
    .filter(([name]) => name !== '')
    .map(([name, times]) => `${name} ${grouped(times)}`);
  return [
    `since the answers of ${runsText(changes)}: ${parts.join(', ')}${people.length === 0 ? '' : ` (by ${people.join(', ')})`}`,
    ...(seenToward > 0 ? [`${grouped(seenToward)} in favor of the model and without a blind review`] : []),
    ...(labeled > 0
      ? [
          `by the labels before, ${grouped(right)} of ${grouped(labeled)} are right (${percent(right / labeled)})`,
        ]
      : ['before, no record had a label']),
  ].join('; ');
}

function runsText({ since: [first = '', ...later] }: ReportedLabelChanges): string {
  return later.length === 0 ? first : `${first} and ${plural(later.length, 'later run')}`;
}
