import { logEvents, type LogLine } from './log-events.ts';

/** The newest `most` lines of the containers of an endpoint, or of an inference component, oldest first; empty if there is no log yet. */
export async function endpointLogs(
  kind: 'Endpoints' | 'InferenceComponents',
  name: string,
  since: Date,
  most: number,
): Promise<readonly LogLine[]> {
  const logGroupName = `/aws/sagemaker/${kind}/${name}`;
  return (await Array.fromAsync(logEvents({ logGroupName, startTime: since.getTime() }))).slice(-most);
}
