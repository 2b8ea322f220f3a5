import type { Endpoints } from '../../aws/sagemaker/endpoints.ts';
import { type EndpointOwner, toCandidateName } from '../../endpoint/names.ts';
import { isUnderWay } from '../../endpoint/progress.ts';
import { candidateOf, isOurs } from '../../endpoint/tags.ts';
import { describeOwn } from './own-endpoint.ts';

/** State of a pipeline's candidate. */
export type CandidateState = 'absent' | 'ours' | 'leaving';

/**
 * Looks for the endpoint on which an execution tests a configuration. One that another execution left, or with other
 * content, is deleted.
 *
 * @throws `EndpointNameTaken` if an endpoint of its name is not this application's
 */
export async function findCandidate(
  endpoints: Pick<Endpoints, 'describe' | 'tagsOf' | 'delete'>,
  bucket: string,
  wanted: { readonly name: string; readonly configName: string; readonly executionArn: string },
): Promise<CandidateState> {
  const found = await describeOwn(endpoints, wanted.name, bucket);
  if (found === undefined) return 'absent';
  const isOther = found.configName !== wanted.configName || candidateOf(found.tags) !== wanted.executionArn;
  if (found.status !== 'Deleting' && !isOther) return 'ours';
  if (!isUnderWay(found)) await endpoints.delete(wanted.name);
  return 'leaving';
}

/**
 * Deletes a pipeline's candidate, if there is one; an endpoint of its name without its tags is left alone. False while it is
 * being created, when SageMaker cannot delete it: call again.
 */
export async function deleteCandidate(
  endpoints: Pick<Endpoints, 'describe' | 'tagsOf' | 'delete'>,
  owner: EndpointOwner,
  pipeline: string,
): Promise<boolean> {
  const found = await endpoints.describe(toCandidateName(owner, pipeline));
  if (found === undefined || found.status === 'Deleting') return true;
  const tags = await endpoints.tagsOf(found.arn);
  if (!isOurs(tags, owner.bucket) || candidateOf(tags) === undefined) return true;
  if (isUnderWay(found)) return false;
  await endpoints.delete(found.name);
  return true;
}

/** Deletes the candidate, if there is one, and says whether its instance is free again, which the update may need. */
export async function isCandidateGone(
  endpoints: Pick<Endpoints, 'describe' | 'tagsOf' | 'delete'>,
  owner: EndpointOwner,
  pipeline: string,
): Promise<boolean> {
  if (!(await deleteCandidate(endpoints, owner, pipeline))) return false;
  return (await endpoints.describe(toCandidateName(owner, pipeline)))?.status !== 'Deleting';
}
