import type { ReviewSubject, ReviewTask } from './review-task.ts';
import { xmlText } from './xml-text.ts';

/**
 * Attribute of a tag by which a person says that the image has been looked at. Without it the model's answers would come
 * back as labels.
 */
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

/**
 * Annotations with the model's predictions unless they are blind, in the format "CVAT for images 1.1" (docs.cvat.ai, "XML
 * annotation format").
 */
export function* cvatXml(tasks: Iterable<ReviewTask>, { run, classes }: ReviewSubject): Generator<string> {
  yield `<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <name>${xmlText(run)}</name>
      <labels>
${classes.map(labelElement).join('\n')}
      </labels>
    </task>
  </meta>
`;
  let id = 0;
  for (const { picture, predicted } of tasks) {
    const tag =
      predicted !== null &&
      `    <tag label="${xmlText(predicted)}" source="auto">
      <attribute name="${REVIEWED}">false</attribute>
    </tag>
`;
    yield `  <image id="${id++}" name="${xmlText(picture ?? '')}">
${tag || ''}  </image>
`;
  }
  yield '</annotations>\n';
}

function labelElement(name: string): string {
  return (
    '        ' +
    `<label><name>${xmlText(name)}</name><type>tag</type><attributes><attribute><name>${REVIEWED}</name><mutable>False</mutable><input_type>checkbox</input_type><default_value>false</default_value><values>false</values></attribute></attributes></label>`
  );
}
