import { logEvents, type LogLine } from './log-events.ts';

/** The newest `most` lines of a function about a pipeline, oldest first: its own lines, which all name the pipeline. */
export async function functionLogs(
  functionName: string,
  pipeline: string,
  since: Date,
  most: number,
): Promise<readonly LogLine[]> {
  const logGroupName = `/aws/lambda/${functionName}`;
  const filterPattern = `{ $.message.pipeline = ${JSON.stringify(pipeline)} }`;
  const lines = logEvents({ logGroupName, filterPattern, startTime: since.getTime() });
  return (await Array.fromAsync(lines)).slice(-most);
}

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
