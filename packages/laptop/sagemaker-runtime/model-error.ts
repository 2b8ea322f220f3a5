import { AwsError } from '../kernel/aws-error.ts';
import type { Site } from '../kernel/service.ts';

/** Cap on the characters of the container's answer that are quoted; the rest is in its log. */
const MAX_MESSAGE_LENGTH = 1024;

/** The container answered, but not with 2xx: 424 `ModelError`, which carries the container's own status and text. */
export function toModelError(
  site: Site,
  endpointName: string,
  status: number,
  text: string | undefined,
): AwsError {
  const group = `/aws/sagemaker/Endpoints/${endpointName}`;
  const kind = status >= 400 && status < 500 ? 'client' : 'server';
  const wording =
    text === undefined ? 'and could not load the entire response body' : `with message "${shorten(text)}"`;
  const { region, account, partition } = site;
  return new AwsError(
    'ModelError',
    `Received ${kind} error (${status}) from primary ${wording}. ` +
      `See https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logEventViewer:group=${group} ` +
      `in account ${account} for more information.`,
    {
      statusCode: 424,
      details: {
        OriginalStatusCode: status,
        OriginalMessage: text === undefined ? '' : shorten(text),
        LogStreamArn: `arn:${partition}:logs:${region}:${account}:log-group:${group}`,
      },
    },
  );
}

function shorten(text: string): string {
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : text;
}
