import { APPLICATION_TAG } from '../run/application-tag.ts';
import { toTagValue } from '../text/tag-value.ts';

/** Content of an endpoint's tags. */
export interface EndpointTags {
  /** The bucket of the application, which names it uniquely. */
  readonly application: string;
  readonly pipeline: string;
  readonly run: string;
  readonly modelSha256: string;
  readonly owner: string | null;
  readonly expiresAt: string | null;
}

/** Tag of a candidate: the execution that tests it. After that execution, the candidate isn't needed. */
const CANDIDATE_TAG = 'inferdrop:candidate-of';

/** The tags of an endpoint, its configuration and its model. */
export function toTags(tags: EndpointTags): Readonly<Record<string, string>> {
  return {
    [APPLICATION_TAG]: tags.application,
    'inferdrop:pipeline': toTagValue(tags.pipeline),
    'inferdrop:run': toTagValue(tags.run),
    'inferdrop:sha256': tags.modelSha256,
    'inferdrop:owner': toTagValue(tags.owner ?? 'unknown'),
    'inferdrop:expires-at': tags.expiresAt ?? 'never',
  };
}

/** The tags of an endpoint on which a model is tested before it takes over. */
export function toCandidateTags(tags: EndpointTags, executionArn: string): Readonly<Record<string, string>> {
  return { ...toTags(tags), [CANDIDATE_TAG]: toTagValue(executionArn) };
}

/** The execution that tests a candidate; undefined for an endpoint that serves. */
export function candidateOf(tags: Readonly<Record<string, string>>): string | undefined {
  return tags[CANDIDATE_TAG];
}

/** Whether an endpoint is this application's, only by its tags: no other is ever touched. */
export function isOurs(tags: Readonly<Record<string, string>>, application: string): boolean {
  return tags[APPLICATION_TAG] === application;
}
