import type { Site } from '../kernel/service.ts';
import type { Route, Stage } from './api-record.ts';

/** A request's ARN in the policy of its caller: `…:<apiId>/<stage>/<method>/<path>`. */
export function callArn(
  { partition, region, account }: Site,
  { apiId, name }: Pick<Stage, 'apiId' | 'name'>,
  method: string,
  path: string,
): string {
  return `arn:${partition}:execute-api:${region}:${account}:${apiId}/${name}/${method}${path}`;
}

/** A request's ARN in the policy of the function behind it: `…:<apiId>/<stage>/<method>/<path of the route>`. */
export function invocationArn(
  { partition, region, account }: Site,
  stage: Stage,
  { apiId, routeKey }: Route,
  requestMethod: string,
): string {
  const [method = '', path] = routeKey.split(' ');
  const way = path === undefined ? method : `${method === 'ANY' ? requestMethod : method}${path}`;
  return `arn:${partition}:execute-api:${region}:${account}:${apiId}/${stage.name}/${way}`;
}
