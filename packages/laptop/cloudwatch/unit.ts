/** The unit of a metric of this stack's services; what clients put themselves has none. */
export function unitOf(metricName: string): string {
  if (/Latency$/.test(metricName))
    return metricName === 'ModelLatency' || metricName === 'OverheadLatency'
      ? 'Microseconds'
      : 'Milliseconds';
  return 'None';
}
