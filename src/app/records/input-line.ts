import * as z from 'zod';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { type Input, Member, RecordPlace } from '../../input/input.ts';

/** A line of `inputs.jsonl`; one of `manifest.jsonl` has the same form, without members. The name of an input is its `key`. */
export const InputLine = ManifestEntry.extend({
  source: z.string().optional(),
  record: RecordPlace.optional(),
  member: Member.optional(),
  label: z.string().optional(),
  defect: z.string().optional(),
  copy: z.literal(true).optional(),
});
export type InputLine = z.infer<typeof InputLine>;

/**
 * Reads a line of `inputs.jsonl`, or of another file that the run itself has written: checked by hand, since a schema would take as long
 * as reading it.
 *
 * @throws {ZodError} that names what is wrong
 */
export function readInputLine(value: unknown): InputLine {
  return isInputLine(value) ? value : InputLine.parse(value);
}

/** Whether a value is a line about an input, whatever else it has. */
export function isInputLine(value: unknown): value is InputLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'size' in value &&
    isCount(value.size) &&
    'etag' in value &&
    typeof value.etag === 'string' &&
    'lastModified' in value &&
    typeof value.lastModified === 'string' &&
    (!('empty' in value) || value.empty === true) &&
    (!('member' in value) || isMember(value.member)) &&
    isOptionalText('source' in value ? value.source : undefined) &&
    (!('record' in value) || isRecordPlace(value.record)) &&
    isOptionalText('label' in value ? value.label : undefined) &&
    isOptionalText('defect' in value ? value.defect : undefined) &&
    (!('copy' in value) || value.copy === true)
  );
}

/** Whether a value says where a member lies. */
export function isMember(value: unknown): value is Member {
  return (
    typeof value === 'object' &&
    value !== null &&
    'object' in value &&
    typeof value.object === 'string' &&
    'etag' in value &&
    typeof value.etag === 'string' &&
    'start' in value &&
    isCount(value.start) &&
    'end' in value &&
    isCount(value.end) &&
    (!('unpacked' in value) || Member.safeParse(value).success)
  );
}

function isRecordPlace(value: unknown): value is RecordPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'index' in value &&
    isCount(value.index) &&
    'line' in value &&
    isCount(value.line) &&
    isOptionalText('id' in value ? value.id : undefined)
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Whether a field holds a text, or is absent. */
export function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** The input of a line. */
export function toInput(line: InputLine): Input {
  const { key: name, etag: content, size, lastModified, source, record, member, label, defect, copy } = line;
  return { name, content, size, lastModified, source, record, member, label, defect, copy };
}

/** The line of an input. */
export function toInputLine(input: Input): InputLine {
  const { name: key, content: etag, size, lastModified, source, record, member, label, defect, copy } = input;
  return { key, size, etag, lastModified, source, record, member, label, defect, copy };
}
