/** Whether an input is one record: if SageMaker doesn't split it and its type has no records of its own, or if it's a record of an opened table. */
export function isOneRecord({
  splitType,
  contentType,
  columns,
}: {
  readonly splitType: string;
  readonly contentType: string;
  readonly columns: object | null;
}): boolean {
  return (
    columns !== null ||
    (splitType === 'None' && !/json|csv|text|tfrecord|recordio|parquet/i.test(contentType))
  );
}
