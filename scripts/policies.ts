import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deployerPolicies } from './deployer-policy.ts';
import { packageApplication } from './package-application.ts';
import { removalPolicy } from './removal-policy.ts';

/** Partitions of AWS that have policies of their own. */
export const PARTITIONS = ['aws', 'aws-us-gov', 'aws-cn'] as const;
type Partition = (typeof PARTITIONS)[number];
/** Policies that are written by hand, for the partition `aws`. */
const BY_HAND = ['action-role', 'action-trust', 'github-trust', 'supplier', 'verify'];

/** The text of every policy of `docs/policies`, by its path there. */
export async function policies(root: string): Promise<ReadonlyMap<string, string>> {
  const { bucketTemplate, template } = await packageApplication(root, 'dev');
  const made = {
    ...deployerPolicies([JSON.parse(bucketTemplate), JSON.parse(template)]),
    removal: removalPolicy(),
  };
  const folder = path.join(root, 'docs', 'policies', 'aws');
  const texts = [
    ...Object.entries(made).map(([name, policy]) => [name, JSON.stringify(policy, null, 2)] as const),
    ...BY_HAND.map(
      (name) => [name, readFileSync(path.join(folder, `${name}.json`), 'utf8').trimEnd()] as const,
    ),
  ];
  return new Map(
    PARTITIONS.flatMap((partition) =>
      texts.map(
        ([name, text]) => [`${partition}/${name}.json`, `${inPartition(text, partition)}\n`] as const,
      ),
    ),
  );
}

/**
 * A policy of the partition `aws` in another one: its ARNs, and in China the names by which KMS knows services ("kms:ViaService"). Names of
 * services as principals are the same everywhere.
 */
function inPartition(text: string, partition: Partition): string {
  const own = text.replaceAll('"arn:aws:', `"arn:${partition}:`);
  return partition === 'aws-cn' ? own.replaceAll('"s3.*.amazonaws.com"', '"s3.*.amazonaws.com.cn"') : own;
}
