/**
 * Accounts that own AWS's containers, by region; regions of the wide account are listed without it.
 *
 * Taken from aws/sagemaker-python-sdk v2.257.6, src/sagemaker/image_uri_config/{tensorflow,pytorch}.json, read 2026-08.
 */
const WIDE = '763104351884';
const WIDE_REGIONS =
  'ap-northeast-1 ap-northeast-2 ap-south-1 ap-southeast-1 ap-southeast-2 ca-central-1 eu-central-1 eu-north-1 ' +
  'eu-west-1 eu-west-2 eu-west-3 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2';
const OTHERS: Readonly<Record<string, string>> = {
  'af-south-1': '626614931356',
  'ap-east-1': '871362719292',
  'ap-east-2': '975050140332',
  'ap-northeast-3': '364406365360',
  'ap-south-2': '772153158452',
  'ap-southeast-3': '907027046896',
  'ap-southeast-4': '457447274322',
  'ap-southeast-5': '550225433462',
  'ap-southeast-6': '633930458069',
  'ap-southeast-7': '590183813437',
  'ca-west-1': '204538143572',
  'cn-north-1': '727897471807',
  'cn-northwest-1': '727897471807',
  'eu-central-2': '380420809688',
  'eu-south-1': '692866216735',
  'eu-south-2': '503227376785',
  'il-central-1': '780543022126',
  'me-central-1': '914824155844',
  'me-south-1': '217643126080',
  'mx-central-1': '637423239942',
  'us-gov-east-1': '446045086412',
  'us-gov-west-1': '442386744353',
  'us-iso-east-1': '886529160074',
  'us-isob-east-1': '094389454867',
  'us-isof-east-1': '303241398832',
  'us-isof-south-1': '454834333376',
};

/** Account of the containers before 2019 (`sagemaker-tensorflow…`). */
const LEGACY = '520713654638';
const LEGACY_REGIONS =
  'ap-northeast-1 ap-northeast-2 ap-south-1 ap-southeast-1 ap-southeast-2 ca-central-1 eu-central-1 eu-north-1 ' +
  'eu-west-1 eu-west-2 eu-west-3 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2';
const LEGACY_OTHERS: Readonly<Record<string, string>> = {
  'af-south-1': '313743910680',
  'ap-east-1': '057415533634',
  'cn-north-1': '422961961927',
  'cn-northwest-1': '423003514399',
  'eu-south-1': '048378556238',
  'me-south-1': '724002660598',
  'us-gov-west-1': '246785580436',
  'us-iso-east-1': '744548109606',
  'us-isob-east-1': '453391408702',
};

/** Accounts by region of each set of regions that versions share, named R1 … R7 as in the SDK's data. */
const REGISTRIES = {
  R1: { ...accounts(LEGACY_REGIONS, LEGACY), ...LEGACY_OTHERS },
  R2: without(
    all(),
    'ap-east-2 ap-southeast-5 ap-southeast-6 ap-southeast-7 mx-central-1 us-isof-east-1 us-isof-south-1',
  ),
  R3: without(all(), 'us-isof-east-1 us-isof-south-1'),
  R4: all(),
  R5: without(all(), 'us-iso-east-1 us-isob-east-1 us-isof-east-1 us-isof-south-1'),
  R6: only(
    all(),
    'ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3 ' +
      'ap-southeast-4 ca-central-1 ca-west-1 cn-north-1 cn-northwest-1 eu-central-1 eu-central-2 eu-north-1 eu-south-2 ' +
      'eu-west-1 us-east-1 us-east-2 us-west-2',
  ),
  R7: only(
    all(),
    'ap-northeast-1 ap-northeast-2 ap-south-2 ap-southeast-3 ap-southeast-4 ca-west-1 eu-central-2 eu-south-2 eu-west-1 ' +
      'us-east-1 us-east-2 us-west-2',
  ),
} as const;

/** Name of a set of regions. */
export type RegistrySet = keyof typeof REGISTRIES;

/** Every account that owns AWS's containers, in ascending order: the roles of containers pull from these and the stack's own. */
export const AWS_IMAGE_ACCOUNTS: readonly string[] = [
  ...new Set(
    Object.values<Readonly<Record<string, string>>>(REGISTRIES).flatMap((found) => Object.values(found)),
  ),
].toSorted();

/** Host of the registry that has a version's image in a region, or undefined if AWS does not publish it there. */
export function registryHost(set: RegistrySet, region: string): string | undefined {
  const found: Readonly<Record<string, string>> = REGISTRIES[set];
  const account = found[region];
  return account === undefined ? undefined : `${account}.dkr.ecr.${region}.${domainOf(region)}`;
}

/** The region of an image in one of AWS's own registries; undefined for an image of another account or host. */
export function regionOfAwsImage(imageUri: string): string | undefined {
  const [, host, account, region = ''] = /^((\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.[^/]+)\//.exec(imageUri) ?? [];
  const isAws =
    host === `${account}.dkr.ecr.${region}.${domainOf(region)}` &&
    Object.values<Readonly<Record<string, string>>>(REGISTRIES).some((found) => found[region] === account);
  return isAws ? region : undefined;
}

/** Whether an image is for Elastic Inference accelerators; AWS's image names have the suffix `-eia`. */
export function isAcceleratorImage(imageUri: string): boolean {
  return /-eia[:@]/.test(imageUri);
}

function domainOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  if (region.startsWith('us-isof-')) return 'csp.hci.ic.gov';
  if (region.startsWith('us-isob-')) return 'sc2s.sgov.gov';
  return region.startsWith('us-iso-') ? 'c2s.ic.gov' : 'amazonaws.com';
}

function accounts(regions: string, account: string): Record<string, string> {
  return Object.fromEntries(regions.split(' ').map((region) => [region, account]));
}

function all(): Record<string, string> {
  return { ...accounts(WIDE_REGIONS, WIDE), ...OTHERS };
}

function without(from: Record<string, string>, regions: string): Record<string, string> {
  const left = new Set(regions.split(' '));
  return Object.fromEntries(Object.entries(from).filter(([region]) => !left.has(region)));
}

function only(from: Record<string, string>, regions: string): Record<string, string> {
  const kept = new Set(regions.split(' '));
  return Object.fromEntries(Object.entries(from).filter(([region]) => kept.has(region)));
}

/** Versions that share repository, regions and the rest of the tag. */
export interface ImageRow {
  /** Full versions; `1.2` may stand for the newest `1.2.x` of all rows. */
  readonly versions: readonly string[];
  readonly repository: string;
  readonly registries: RegistrySet;
  /** Follows the processor in the tag. */
  readonly suffix?: string;
  /** Tags that follow no rule, by processor. */
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * A row of these versions, separated by spaces.
 *
 * @__NO_SIDE_EFFECTS__ so that functions that choose no image are bundled without the tables.
 */
export function row(
  versions: string,
  repository: string,
  registries: RegistrySet,
  suffix?: string,
): ImageRow {
  return { versions: versions.split(' '), repository, registries, ...(suffix !== undefined && { suffix }) };
}
