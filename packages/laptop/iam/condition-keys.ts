import { type Conditions, readOperator } from './condition.ts';

/** Condition keys that have a value here wherever they have one in AWS, in lower case; a trailing slash means a family of keys. */
const KNOWN_KEYS: readonly string[] = [
  'application-autoscaling:service-namespace',
  'aws:currenttime',
  'aws:epochtime',
  'aws:principalaccount',
  'aws:principalarn',
  'aws:principalisawsservice',
  'aws:requestedregion',
  'aws:requesttag/',
  'aws:resourcetag/',
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'aws:sourceowner',
  'aws:tagkeys',
  'iam:awsservicename',
  'iam:passedtoservice',
  'kms:calleraccount',
  'kms:grantisforawsresource',
  'kms:viaservice',
  's3:prefix',
  's3:x-amz-server-side-encryption',
  's3:x-amz-server-side-encryption-aws-kms-key-id',
  's3:x-amz-server-side-encryption-customer-algorithm',
];

/** The boolean ones among them, in lower case. */
export const BOOLEAN_KEYS: ReadonlySet<string> = new Set([
  'aws:principalisawsservice',
  'aws:securetransport',
  'kms:grantisforawsresource',
]);

/** Keys that services send when they assume a role. */
export const TRUST_KEYS: readonly string[] = ['aws:sourceaccount', 'aws:sourcearn'];

/** The first condition key that has no value here. */
export function unknownKey(
  conditions: Conditions,
  known: readonly string[] = KNOWN_KEYS,
): string | undefined {
  return keysOf(conditions).find((key) => !isKnown(key, known));
}

/**
 * The first key without a value here that would let a caller do more than in AWS: in a Deny, or where an operator holds for a
 * missing value. Any other Allow on such a key only allows less.
 */
export function laxKey(effect: 'Allow' | 'Deny', conditions: Conditions): string | undefined {
  if (effect === 'Deny') return unknownKey(conditions);
  return Object.entries(conditions)
    .flatMap(([name, keys]) =>
      Object.entries(keys).filter(
        ([, values]) =>
          readOperator(name)?.holdsIfMissing === true || (name === 'Null' && [values].flat().some(isTrue)),
      ),
    )
    .map(([key]) => key)
    .find((key) => !isKnown(key, KNOWN_KEYS));
}

/** For messages. */
export function listKeys(known: readonly string[] = KNOWN_KEYS): string {
  return known.map((key) => (key.endsWith('/') ? `${key}…` : key)).join(', ');
}

function isTrue(value: unknown): boolean {
  return String(value).toLowerCase() === 'true';
}

function keysOf(conditions: Conditions): string[] {
  return Object.values(conditions).flatMap((keys) => Object.keys(keys));
}

function isKnown(key: string, known: readonly string[]): boolean {
  const name = key.toLowerCase();
  return known.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one));
}
