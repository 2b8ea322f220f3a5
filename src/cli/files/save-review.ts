import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChosenRecords } from '../../app/review/choose-records.ts';
import { readPicture } from '../../app/review/read-picture.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { PresignedLinks } from '../../aws/s3/presigned-links.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { shownRecord } from '../../input/shown-place.ts';
import type { ReviewedHow } from '../../label/label-changes.ts';
import { cvatLabels, cvatXml } from '../../review/cvat-xml.ts';
import { labelStudioConfig, labelStudioTask } from '../../review/label-studio-tasks.ts';
import { reviewCsv } from '../../review/review-csv.ts';
import { blindPictureName, pictureName, type ReviewTask, taskId, toBlind } from '../../review/review-task.ts';
import { fitsXml } from '../../review/xml-text.ts';
import { Refusal } from '../refusal.ts';
import { makeFolder } from './make-folder.ts';

/** Tools that a review can be written for. */
export const REVIEW_TOOLS = ['label-studio', 'cvat', 'csv'] as const;
type Tool = (typeof REVIEW_TOOLS)[number];

const PICTURES = 'images';
/** Pictures that memory holds at once. */
const CONCURRENT_READS = 4;

/** A review that lies in a folder. */
export interface SavedReview {
  /** Identities of the records. */
  readonly tasks: readonly string[];
  readonly pictures: number;
  /** Records without a task and the reason, since the tool shows only pictures. */
  readonly left: readonly string[];
}

/**
 * Writes the tasks of a review into a folder of its own, with their pictures below `images/`, or with links in their place.
 *
 * @throws {Refusal} where the folder has files, or the tool cannot show such records or classes
 */
export async function saveReview(
  store: ObjectStore,
  { subject, records, oneRecord }: ChosenRecords,
  {
    folder,
    tool,
    how,
    links,
  }: {
    readonly folder: string;
    readonly tool: Tool;
    readonly how: ReviewedHow;
    readonly links: PresignedLinks | undefined;
  },
): Promise<SavedReview> {
  if (tool !== 'csv' && !oneRecord)
    throw new Refusal(
      `${tool} shows one picture a task, and files of ${subject.run} have many records: take --for csv`,
    );
  const unfit = subject.classes.find((name) => !fitsXml(name));
  if (tool !== 'csv' && unfit !== undefined)
    throw new Refusal(
      `the class ${JSON.stringify(unfit)} cannot stand in XML, which ${tool} reads: take --for csv`,
    );
  await makeFolder(path.join(folder, PICTURES));
  const others = (await readdir(folder)).filter((name) => name !== PICTURES);
  if (others.length > 0)
    throw new Refusal(`--save ${folder} must be a new or empty folder, has ${others[0] ?? ''}`);
  const tasks: ReviewTask[] = [];
  const left: string[] = [];
  let pictures = 0;
  const read = ({ input }: ChosenRecords['records'][number]) =>
    oneRecord ? readPicture(store, input) : Promise.resolve({ missing: 'has many records' });
  const add = (task: ReviewTask): unknown => tasks.push(how === 'blind' ? toBlind(task) : task);
  for await (const [{ input, ...found }, picture] of inOrder(records, CONCURRENT_READS, read)) {
    const record = { ...found, id: taskId(found.key, found.recordIndex), recordId: found.id };
    if ('missing' in picture) {
      if (tool === 'csv') add({ ...record, picture: null });
      else left.push(`${shownRecord(found)} ${picture.missing}`);
      continue;
    }
    pictures++;
    if (links !== undefined && input.member === undefined) {
      add({ ...record, picture: await links(record.key) });
      continue;
    }
    const name =
      how === 'blind'
        ? blindPictureName(record.id, picture.mediaType)
        : pictureName(record.key, record.recordIndex, picture.mediaType);
    await writeFile(path.join(folder, PICTURES, name), picture.bytes);
    add({ ...record, picture: tool === 'cvat' ? name : `${PICTURES}/${name}` });
  }
  if (tasks.length === 0) throw new Refusal(`no record of this choice is a picture: ${left[0] ?? ''}`);
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
  switch (tool) {
    case 'label-studio': {
      const shown = tasks.map((task) => ({ ...task, picture: servedPicture(task.picture, folder) }));
      await write(
        'tasks.json',
        `${JSON.stringify(
          shown.map((task) => labelStudioTask(task, subject)),
          undefined,
          1,
        )}\n`,
      );
      await write('labels.xml', labelStudioConfig(subject, how));
      break;
    }
    case 'cvat':
      await write('annotations.xml', [...cvatXml(tasks, subject)].join(''));
      await write('labels.json', cvatLabels(subject));
      break;
    case 'csv':
      await write('review.csv', [...reviewCsv(tasks)].join(''));
  }
  return { tasks: tasks.map(({ id }) => id), pictures, left };
}

/** Address of a file below the folder that Label Studio serves (labelstud.io/guide/storage, "Local storage"). */
function servedPicture(picture: string | null, folder: string): string | null {
  if (picture === null || !picture.startsWith(`${PICTURES}/`)) return picture;
  return `/data/local-files/?d=${encodeURIComponent(path.basename(folder))}/${picture}`;
}
