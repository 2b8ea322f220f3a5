import * as z from 'zod';

/** Folder of an archive with the file that its model was converted from. */
export const SOURCE_FOLDER = 'source';
/** File in it that says how. */
export const SOURCE_RECORD = `${SOURCE_FOLDER}/source.json`;

/** The origin of a model that was converted when its archive was made. */
export const SourceRecord = z.object({
  /** Kind of the file, as file-kind names it. */
  kind: z.string(),
  /** Its name in the folder. */
  file: z.string(),
  sha256: z.string(),
  /** Program and version that converted it. */
  converter: z.string(),
  /** Library and version that wrote it. */
  library: z.string(),
  notes: z.array(z.string()),
});
export type SourceRecord = z.infer<typeof SourceRecord>;
