import { readVerifiedXml } from '../body/read-verified-xml.ts';
import { findVersion } from '../object/find-version.ts';
import { announceTags } from '../object/object-events.ts';
import { versionHeader } from '../object/store-version.ts';
import { Tagging, toTags } from '../object/tags.ts';
import type { S3Operation } from '../operation.ts';

/** `PutObjectTagging`: replaces all tags of the version, and puts `Object Tags Added` on the bus. */
export const putObjectTagging: S3Operation = {
  name: 'PutObjectTagging',
  method: 'PUT',
  on: 'object',
  needs: ['tagging'],
  allows: ['versionId'],
  async run(call, storage) {
    const { bucket, key, query, request } = call;
    const { TagSet } = await readVerifiedXml(call, Tagging);
    const tags = toTags(TagSet.Tag.map(({ Key, Value }) => [Key, Value]));
    const version = findVersion(storage, { bucket, key }, query.get('versionId') ?? undefined);
    storage.commit({ op: 'tag', bucket, key, versionId: version.versionId, tags });
    announceTags(storage, { bucket, key }, version, 'Added', request);
    return { headers: versionHeader(storage, bucket, version) };
  },
};
