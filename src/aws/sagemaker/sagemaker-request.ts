import { ListTagsCommand, type SageMakerClient, type Tag } from '@aws-sdk/client-sagemaker';
import { Condition } from '../../problem/conditions.ts';
import { toTagValue } from '../../text/tag-value.ts';
import { required } from '../calls/answer.ts';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';

/** Tags by key. Values are converted to SageMaker's alphabet (see `toTagValue` in src/text/tag-value.ts). */
export type Tags = Readonly<Record<string, string>>;

/** Asks for the tags that the stack puts on all that its runs make, when something is made. */
export type ResourceTags = () => Tags;

/** For callers that make nothing. */
export const noResourceTags: ResourceTags = () => ({});

/** Wording of a `ValidationException` for a missing resource: "Could not find model …", "Requested resource not found". */
const IS_MISSING = /could not find|not found|does not exist/i;
/** Wording for a name that is taken: CreateModel says "Cannot create already existing model …" where other calls answer `ResourceInUse`. */
const IS_TAKEN = /already exist/i;

/** Awaits a call and gives its error one name per condition, `ResourceInUse` and `NotFound` among them. */
export async function request<T>(sent: Promise<T>): Promise<T> {
  try {
    return await withErrorNames(sent);
  } catch (error) {
    if (!isNamed(error, 'ValidationException')) throw error;
    if (IS_TAKEN.test(error.message)) throw new Condition('ResourceInUse', error.message, { cause: error });
    if (IS_MISSING.test(error.message)) throw new Condition('NotFound', error.message, { cause: error });
    throw error;
  }
}

/** The answer of a call, or undefined if its resource does not exist. */
export async function unlessMissing<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request(send());
  } catch (error) {
    if (isNamed(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Tags in SageMaker's form. */
export function toTagList(tags: Tags = {}): Tag[] {
  return Object.entries(tags).map(([Key, value]) => ({ Key, Value: toTagValue(value) }));
}

/** All tags of a resource of SageMaker. */
export async function readTags(client: SageMakerClient, arn: string): Promise<Tags> {
  const tags: Record<string, string> = {};
  let NextToken: string | undefined;
  do {
    const page = await request(client.send(new ListTagsCommand({ ResourceArn: arn, NextToken })));
    for (const { Key, Value } of page.Tags ?? []) tags[required(Key, 'Tags.Key')] = Value ?? '';
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return tags;
}
