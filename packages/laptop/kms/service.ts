import path from 'node:path';
import * as z from 'zod';
import { jsonTextProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import { parseResourcePolicy, resourceDecider } from '../iam/resource-policy.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { stableUuid } from '../kernel/stable-uuid.ts';
import { openDocuments } from '../storage/document-file.ts';

const KeyProperties = z.looseObject({ KeyPolicy: jsonTextProperty });
const Key = z.object({ arn: z.string(), policy: z.string() });

const MALFORMED = 'MalformedPolicyDocumentException';

/** Keys have a name, an ARN and a policy that is enforced; nothing is encrypted by them. */
export function createKeys({ dir, clock }: { readonly dir: string; readonly clock: Clock }) {
  const keys = openDocuments(path.join(dir, 'keys.json'), Key);
  return {
    resources: resource('AWS::KMS::Key', {
      properties: KeyProperties,
      apply: async ({ KeyPolicy }, { stackName, logicalId, physicalId, site }) => {
        const policy = parseResourcePolicy(`of the key ${logicalId}`, KeyPolicy, MALFORMED);
        const keyId = physicalId ?? stableUuid(`${stackName}/${logicalId}`);
        const arn = `arn:${site.partition}:kms:${site.region}:${site.account}:key/${keyId}`;
        const change = { action: 'kms:PutKeyPolicy', resource: arn };
        const owner = { account: site.account, roleArn: undefined };
        const { allows, delegates } = resourceDecider(policy)(owner, change, site, clock.now());
        if (!allows && !delegates)
          throw new AwsError(
            MALFORMED,
            'The new key policy will not allow you to update the key policy in the future.',
          );
        keys.set(keyId, { arn, policy: KeyPolicy });
        return { ref: keyId, attributes: { Arn: arn, KeyId: keyId } };
      },
      remove: async (keyId) => void keys.delete(keyId),
    }),
    policyOn: (arn: string) => [...keys.values()].find((key) => key.arn === arn)?.policy,
  };
}
