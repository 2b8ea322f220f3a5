import { createHash } from 'node:crypto';
import type { FilePlace } from '../input/file-place.ts';
import { toAsciiSlug } from '../text/ascii-slug.ts';

/** A record that a person is to look at. A blind task has neither the label nor the prediction, nor a name that may tell them. */
export interface ReviewTask extends Omit<FilePlace, 'key' | 'id'> {
  readonly id: string;
  /** Name of the input; null in a blind task with a picture. */
  readonly key: string | null;
  /** Its cell of `columns.id`. */
  readonly recordId?: string | undefined;
  /** Null if the record has no label, and in a blind task. */
  readonly label: string | null;
  /** Null in a blind task. */
  readonly predicted: string | null;
  /** Score of the predicted class; null if the output has no score. */
  readonly score: number | null;
  /** Address of its picture: a path below the folder of the review, or a link; null without a picture. */
  readonly picture: string | null;
}

/** The run that tasks are about, and the classes to choose from. */
export interface ReviewSubject {
  readonly run: string;
  readonly classes: readonly string[];
}

const ID_CHARACTERS = 16;
const SLUG_CHARACTERS = 40;

/**
 * Identity of a record in files that people edit: a spreadsheet may change a key, and takes digits for a number. 64 bits of the SHA-256 of
 * its name and place, so that the answers to tasks need nothing but the run's rows.
 */
export function taskId(key: string, recordIndex: number): string {
  const digest = createHash('sha256').update(`${key}\n${recordIndex}`).digest('hex');
  return `i${digest.slice(0, ID_CHARACTERS)}`;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
};

/** A task that doesn't tell what anybody thinks of its record. */
export function toBlind(task: ReviewTask): ReviewTask {
  const key = task.picture === null ? task.key : null;
  return { ...task, key, label: null, predicted: null, score: null };
}

/** Name of the file that a blind task's picture is copied to. */
export function blindPictureName(id: string, mediaType: string): string {
  return `image-${id}.${EXTENSIONS[mediaType] ?? 'bin'}`;
}

/** Name of the file that a task's picture is copied to: whatever the key is, it names a file of the folder. */
export function pictureName(key: string, recordIndex: number, mediaType: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]{1,8}$/, '');
  const extension = EXTENSIONS[mediaType] ?? 'bin';
  return `${toAsciiSlug(name, SLUG_CHARACTERS)}-${taskId(key, recordIndex)}.${extension}`;
}

/** The identity in the name of such a file, in whatever folder; undefined if it's not in the name. */
export function idInPictureName(name: string): string | undefined {
  return /-(i[0-9a-f]{16})\.[a-z]{3,4}$/.exec(name)?.[1];
}
