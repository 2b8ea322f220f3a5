/** How far the clocks of S3 and EventBridge may differ; a younger event is doubtful and opens a generation. */
const DOUBT_MS = 15 * 60 * 1000;

/**
 * Was this upload there, beyond doubt, when the listing after the marker began?
 *
 * Takes the event's own time and the marker's LastModified. An object's LastModified would not do: for a multipart
 * upload it is the upload's start. A Lambda's clock would be a third one.
 */
export function isCovered(eventAt: Date, freezingAt: Date | undefined): boolean {
  return freezingAt !== undefined && eventAt.getTime() < freezingAt.getTime() - DOUBT_MS;
}
