/** Whether an object is one record: where SageMaker does not split it and its type has no records of its own. */
export function isOneRecord({
  splitType,
  contentType,
}: {
  readonly splitType: string;
  readonly contentType: string;
}): boolean {
  return splitType === 'None' && !/json|csv|text|tfrecord|recordio|parquet/i.test(contentType);
}
