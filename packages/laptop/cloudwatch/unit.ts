/** The unit of a metric of this stack's services; metrics put by clients have no unit here. */
export function unitOf(metricName: string): string {
  if (/Latency$/.test(metricName))
    return metricName === 'ModelLatency' || metricName === 'OverheadLatency'
      ? 'Microseconds'
      : 'Milliseconds';
  return 'None';
}
