import type { Site } from '../kernel/service.ts';
import { queueDoesNotExist } from './sqs-error.ts';

/** Clients send requests to the host in a queue's URL, so it is always the endpoint of now. */
export function toQueueUrl(site: Site, name: string): string {
  return `${site.endpoint()}/${site.account}/${name}`;
}

/** The name at the end of a queue's URL; the host does not matter, as the port may have changed since. */
export function parseQueueUrl(url: string): string {
  const name = url.split('/').at(-1);
  if (!name) throw queueDoesNotExist();
  return name;
}

/** The ARN of a queue. */
export function queueArn(site: Site, name: string): string {
  return `arn:${site.partition}:sqs:${site.region}:${site.account}:${name}`;
}
