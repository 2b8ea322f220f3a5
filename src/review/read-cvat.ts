import { REVIEWED } from './cvat-xml.ts';
import type { ReadAnswers, ReviewAnswer } from './review-answer.ts';
import { idInPictureName } from './review-task.ts';
import { type XmlEvent, xmlEvents, XmlUnreadable } from './xml-events.ts';

/**
 * Reads the answers of an export of CVAT in the format "CVAT for images 1.1": the tags with a true `reviewed` attribute. The
 * assignee of the task is the person who answered.
 */
export function readCvat(text: string): ReadAnswers {
  const problems: string[] = [];
  try {
    return { answers: [...answersOf(xmlEvents(text), problems)], problems };
  } catch (error) {
    if (!(error instanceof XmlUnreadable)) throw error;
    return { answers: [], problems: [error.message] };
  }
}

function* answersOf(events: Iterable<XmlEvent>, problems: string[]): Generator<ReviewAnswer> {
  const path: string[] = [];
  let image = '';
  let attribute = '';
  let assignee: string | undefined;
  let tags: { readonly label: string; reviewed?: boolean }[] = [];
  for (const event of events) {
    if (event.type === 'open') {
      if (path.push(event.name) === 1 && event.name !== 'annotations')
        problems.push(
          `the file must be annotations of CVAT, is <${event.name}>: export "CVAT for images 1.1"`,
        );
      const read = (name: string): string => event.attributes.get(name) ?? '';
      if (event.name === 'image') {
        image = read('name');
        tags = [];
      } else if (event.name === 'tag') tags.push({ label: read('label') });
      else if (event.name === 'attribute') attribute = read('name');
      continue;
    }
    const parent = path.at(-2);
    if (event.type === 'text') {
      const value = event.text.trim();
      const tag = tags.at(-1);
      if (path.at(-1) === 'username' && parent === 'assignee') assignee = value;
      if (parent === 'tag' && path.at(-1) === 'attribute' && attribute === REVIEWED && tag !== undefined)
        tag.reviewed = value === 'true';
      continue;
    }
    path.pop();
    if (event.name !== 'image') continue;
    const place = `image ${JSON.stringify(image)}`;
    if (tags.some(({ reviewed }) => reviewed === undefined))
      problems.push(`${place}: each tag must have the attribute "${REVIEWED}", as labels.json declares it`);
    const [answer, ...more] = tags.filter(({ reviewed }) => reviewed);
    const id = idInPictureName(image);
    if (answer === undefined) continue;
    if (more.length > 0) problems.push(`${place} must have one reviewed tag, has ${more.length + 1}`);
    else if (id === undefined) problems.push(`${place} is not the name of a picture of this review`);
    else yield { id, label: answer.label, place, by: assignee, at: undefined };
  }
}
