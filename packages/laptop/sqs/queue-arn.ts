import type { Site } from '../kernel/service.ts';

/** The ARN of a queue. */
export function queueArn(site: Site, name: string): string {
  return `arn:${site.partition}:sqs:${site.region}:${site.account}:${name}`;
}
