import type { ReviewSubject, ReviewTask } from './review-task.ts';
import { xmlText } from './xml-text.ts';

/** Attribute of a tag by which a person says that the image has been looked at. Without it the model's answers would come back as labels. */
export const REVIEWED = 'reviewed';

/** The labels of a CVAT task, for the "Raw" tab of its constructor: a tag for each class. */
export function cvatLabels({ classes }: Pick<ReviewSubject, 'classes'>): string {
  const attribute = {
    name: REVIEWED,
    input_type: 'checkbox',
    mutable: false,
    default_value: 'false',
    values: ['false'],
  };
  const labels = classes.map((name) => ({ name, type: 'tag', attributes: [attribute] }));
  return `${JSON.stringify(labels, undefined, 1)}\n`;
}

/** Annotations with the model's predictions, in the format "CVAT for images 1.1" (docs.cvat.ai, "XML annotation format"). */
export function* cvatXml(tasks: Iterable<ReviewTask>): Generator<string> {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n';
  let id = 0;
  for (const { picture, predicted } of tasks) {
    yield `  <image id="${id++}" name="${xmlText(picture ?? '')}">
    <tag label="${xmlText(predicted)}" source="auto">
      <attribute name="${REVIEWED}">false</attribute>
    </tag>
  </image>
`;
  }
  yield '</annotations>\n';
}
