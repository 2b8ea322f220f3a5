import * as z from 'zod';

/** The object that a member belongs to, and where its bytes lie: a range, `end` exclusive. */
export const Member = z.object({
  /** Key of the object. */
  object: z.string(),
  etag: z.string(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** The object that the range belongs to, if it's another one: members of a compressed tar have been unpacked. */
  unpacked: z.object({ bucket: z.string(), key: z.string() }).optional(),
});
export type Member = z.infer<typeof Member>;

/** Place of a record in its table. */
export const RecordPlace = z.object({
  /** From 0. */
  index: z.int().nonnegative(),
  /** Line on which it begins, from 1. */
  line: z.int().positive(),
  /** Cell of `columns.id`. */
  id: z.string().optional(),
});
export type RecordPlace = z.infer<typeof RecordPlace>;

/** The facts that are needed to open an input. */
export interface InputPlace {
  /** An object's key; for a member the key of its object, a slash, and its place in it. Unique in a run. */
  readonly name: string;
  /** Absent if the input is a whole object. */
  readonly member?: Member | undefined;
}

/** One input of a run: an object, or a member of one. A drop consists of objects, a run of inputs, in the byte order of their names. */
export interface Input extends InputPlace {
  /** Bytes of its content. */
  readonly size: number;
  /**
   * Identity of its content, by which it's paired with the same one of another run: an object's ETag; a member's MD5,
   * which is the ETag that S3 would give it; a digest of a record without its label, so that a corrected label pairs.
   */
  readonly content: string;
  /** Identity of a record's file and place, which copies share; absent if copies share the content. */
  readonly source?: string | undefined;
  /** Absent if it isn't a record of a table. */
  readonly record?: RecordPlace | undefined;
  /** UTC, ISO 8601. */
  readonly lastModified: string;
  /** Label that comes with a member. */
  readonly label?: string | undefined;
  /** True if an input before it has the same source: which of them counts is decided before any answer is known. */
  readonly copy?: true | undefined;
  /** Why it cannot be read, in words that follow its name. */
  readonly defect?: string | undefined;
}

/** The object that an input is, or lies in, in the version that was listed; S3 may hold another by now. */
export function objectOf({ name, content, member }: Omit<Input, 'size' | 'lastModified'>): {
  readonly key: string;
  readonly etag: string;
} {
  return member === undefined ? { key: name, etag: content } : { key: member.object, etag: member.etag };
}
