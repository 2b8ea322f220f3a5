import type { Site } from '../kernel/service.ts';

/** The ARN of a log group, without the `:*` that policies and `GetAtt Arn` add. */
export function logGroupArn(site: Site, name: string): string {
  return `arn:${site.partition}:logs:${site.region}:${site.account}:log-group:${name}`;
}
