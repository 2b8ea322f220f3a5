/** Settings that decide how many records an input has. */
interface CutSettings {
  readonly splitType: string;
  readonly columns: object | null;
}

/** Whether a drop's files are opened, so that each of their records is an input: by `columns`, or because each line is a record. */
export function opensFiles({ splitType, columns }: CutSettings): boolean {
  return columns !== null || splitType === 'Line';
}

/**
 * Whether an input is one record: if it's a record of a file that was opened, or if SageMaker doesn't split it and its type
 * has no records of its own.
 */
export function isOneRecord({
  contentType,
  ...cut
}: CutSettings & { readonly contentType: string }): boolean {
  return (
    opensFiles(cut) ||
    (cut.splitType === 'None' && !/json|csv|text|tfrecord|recordio|parquet/i.test(contentType))
  );
}
