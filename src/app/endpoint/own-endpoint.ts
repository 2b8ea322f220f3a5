import type { EndpointDescription, Endpoints } from '../../aws/sagemaker/endpoints.ts';
import type { Scaling } from '../../aws/sagemaker/scaling.ts';
import type { Served } from '../../endpoint/served.ts';
import { isOurs } from '../../endpoint/tags.ts';
import { Condition } from '../../problem/conditions.ts';

/** An endpoint with this application's tags, as SageMaker describes it. */
export interface OwnEndpoint extends EndpointDescription {
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * The endpoint of this name; undefined if there is none.
 *
 * @throws {EndpointNameTaken} if it is not this application's
 */
export async function describeOwn(
  endpoints: Pick<Endpoints, 'describe' | 'tagsOf'>,
  name: string,
  bucket: string,
): Promise<OwnEndpoint | undefined> {
  const found = await endpoints.describe(name);
  if (found === undefined) return undefined;
  const tags = await endpoints.tagsOf(found.arn);
  if (isOurs(tags, bucket)) return { ...found, tags };
  throw new Condition(
    'EndpointNameTaken',
    `endpoint ${name} lacks the tags of this application, so it is not touched: delete it, and deploy again`,
  );
}

/** Removes autoscaling: SageMaker refuses another instance type while a policy controls the number of instances. */
export async function stopScaling(
  scaling: Pick<Scaling, 'deregister'>,
  { name: endpointName, variants }: Pick<EndpointDescription, 'name' | 'variants'>,
  served: Served | undefined,
): Promise<void> {
  if (served === undefined || served.autoscaling === null) return;
  for (const { name } of variants) await scaling.deregister(endpointName, name);
}
