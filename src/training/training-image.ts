import type { TrainingFramework } from '../frameworks/framework-name.ts';
import { FRAMEWORKS } from '../frameworks/frameworks.ts';
import type { TrainingImageRow } from '../frameworks/training.ts';
import { TRAINING } from '../frameworks/trainings.ts';
import { registryHost } from '../model/image-registry.ts';
import { familyOf } from '../model/instance-families.ts';
import { instanceFamily } from '../model/instance-type.ts';
import { compareVersions, nearestVersion } from '../model/version-order.ts';

/** Facts that decide which of AWS's containers trains. */
export interface TrainingImageRequest {
  readonly framework: TrainingFramework;
  readonly version: string;
  /** Null: `py3` where the version has it, as in the notebooks of that time, else the newest. */
  readonly pyVersion: string | null;
  readonly instanceType: string;
  readonly region: string;
}

/** An image, or which field must change and why. */
export type ResolvedTrainingImage =
  | { readonly uri: string; readonly pyVersion: string }
  | { readonly field: 'version' | 'pyVersion' | 'instanceType'; readonly reason: string };

/** Chooses AWS's training container by the rules of SageMaker's Python SDK 2.257 (`image_uris.retrieve`). */
export function resolveTrainingImage(request: TrainingImageRequest): ResolvedTrainingImage {
  const { framework, version, region } = request;
  const family = instanceFamily(request.instanceType);
  if (family === undefined)
    return { field: 'instanceType', reason: 'must be an instance type such as ml.m5.xlarge' };
  const { processor, arm } = familyOf(request.instanceType);
  if (arm || (processor !== 'cpu' && processor !== 'gpu')) {
    const reason = `has no ${framework} training container of AWS: use another CPU or GPU instance, or give training.image`;
    return { field: 'instanceType', reason };
  }
  if (family === 'p2' && compareVersions(version, FRAMEWORKS[framework].firstBeyondP2) >= 0)
    return { field: 'instanceType', reason: `is too old for ${framework} ${version}: use ml.g4dn.xlarge` };

  const rows = rowsOf(framework, version);
  if (rows.length === 0) {
    const known = TRAINING[framework].images.flatMap(({ versions }) => versions);
    const reason =
      `is not a version of AWS's ${framework} training containers: the nearest is ${nearestVersion(version, known) ?? ''}; ` +
      'name that, or give training.image';
    return { field: 'version', reason };
  }
  const pyVersions = rows.flatMap((row) => row.pyVersions);
  const pyVersion = request.pyVersion ?? (pyVersions.includes('py3') ? 'py3' : (pyVersions.at(-1) ?? ''));
  const row = rows.find((candidate) => candidate.pyVersions.includes(pyVersion));
  if (row === undefined)
    return { field: 'pyVersion', reason: `must be ${pyVersions.join(' or ')} for ${framework} ${version}` };
  const host = registryHost(row.registries, region);
  if (host === undefined) {
    const reason = `is not published in ${region} as ${row.repository}: name another version, or give training.image`;
    return { field: 'version', reason };
  }
  const plain = [version, processor, pyVersion].join('-');
  const suffix = family === 'p4d' ? TRAINING[framework].p4dSuffixes[plain] : undefined;
  const tag = row.tags?.[processor] ?? (suffix === undefined ? plain : `${plain}-${suffix}`);
  return { uri: `${host}/${row.repository}:${tag}`, pyVersion };
}

/** `1.13` stands for the newest `1.13.x`, as in the SDK. */
function rowsOf(framework: TrainingFramework, version: string): readonly TrainingImageRow[] {
  const rows = TRAINING[framework].images;
  const exact = rows.filter((row) => row.versions.includes(version));
  if (exact.length > 0 || version.split('.').length > 2) return exact;
  const newest = rows
    .flatMap((row) => row.versions)
    .filter((known) => known.startsWith(`${version}.`))
    .toSorted(compareVersions)
    .at(-1);
  return newest === undefined ? [] : rows.filter((row) => row.versions.includes(newest));
}
