import { type ImageRow, registryHost } from '../model/image-registry.ts';
import { familyOf } from '../model/instance-families.ts';
import { instanceFamily } from '../model/instance-type.ts';
import { compareVersions, nearestVersion } from '../model/version-order.ts';
import type { ImageScope } from './framework.ts';
import type { Framework } from './framework-name.ts';
import { FRAMEWORKS } from './frameworks.ts';

/** The facts that decide which of AWS's containers serves a model. */
export interface ImageRequest {
  readonly framework: Framework;
  readonly version: string;
  readonly instanceType: string;
  readonly region: string;
  /** An Elastic Inference accelerator, if one is really requested. */
  readonly acceleratorType?: string | null;
}

/** An image, or which field must change and why. */
export type ResolvedImage =
  | { readonly imageUri: string }
  | { readonly field: 'frameworkVersion' | 'instanceType' | 'region'; readonly reason: string };

/** Chooses AWS's inference container by the rules of SageMaker's Python SDK 2.257 (`image_uris.retrieve`). */
export function resolveImageUri(request: ImageRequest): ResolvedImage {
  const { framework, version, instanceType, region } = request;
  const family = instanceFamily(instanceType);
  if (family === undefined)
    return { field: 'instanceType', reason: 'must be an instance type such as ml.m5.xlarge' };
  const scope = scopeOf(request);
  const processor = scope === 'inference' ? familyOf(instanceType).processor : 'cpu';
  if (processor !== 'cpu' && processor !== 'gpu') {
    const reason = `AWS has no ${framework} inference container for ${family}: use a CPU or GPU instance, or give model.image`;
    return { field: 'instanceType', reason };
  }
  if (family === 'p2' && compareVersions(version, FRAMEWORKS[framework].firstBeyondP2) >= 0) {
    return { field: 'instanceType', reason: `p2 is too old for ${framework} ${version}: use ml.g4dn.xlarge` };
  }
  const rows = FRAMEWORKS[framework].images[scope];
  const row = rowOf(version, rows);
  if (row === undefined) {
    const nearest =
      nearestVersion(
        version,
        rows.flatMap((known) => known.versions),
      ) ?? '';
    const where =
      scope === 'inference' ? '' : ` for ${scope === 'eia' ? 'Elastic Inference' : 'Graviton instances'}`;
    const reason = `AWS has no ${framework} inference container of version ${version}${where}: the nearest is ${nearest}`;
    return { field: 'frameworkVersion', reason };
  }
  const host = registryHost(row.registries, region);
  if (host === undefined) {
    const reason = `AWS does not publish ${row.repository} ${version} in ${region}: choose another version, or give model.image`;
    return { field: 'region', reason };
  }
  const tag =
    row.tags?.[processor] ?? [version, processor, row.suffix].filter((part) => part !== undefined).join('-');
  return { imageUri: `${host}/${row.repository}:${tag}` };
}

function scopeOf({ acceleratorType, instanceType }: ImageRequest): ImageScope {
  if (acceleratorType !== undefined && acceleratorType !== null) return 'eia';
  return familyOf(instanceType).arm ? 'graviton' : 'inference';
}

/** `1.2` stands for the newest `1.2.x`, as in the SDK. */
function rowOf(version: string, rows: readonly ImageRow[]): ImageRow | undefined {
  const exact = rows.find((row) => row.versions.includes(version));
  if (exact !== undefined || version.split('.').length > 2) return exact;
  return rows.findLast((row) => row.versions.some((known) => known.startsWith(`${version}.`)));
}
