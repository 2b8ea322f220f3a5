import { logEvents, type LogLine } from './log-events.ts';

/** The newest `most` lines of an endpoint's containers, oldest first; empty if there is no log yet. */
export async function endpointLogs(
  endpointName: string,
  since: Date,
  most: number,
): Promise<readonly LogLine[]> {
  const logGroupName = `/aws/sagemaker/Endpoints/${endpointName}`;
  return (await Array.fromAsync(logEvents({ logGroupName, startTime: since.getTime() }))).slice(-most);
}
