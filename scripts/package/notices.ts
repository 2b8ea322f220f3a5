import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BundledPackage } from '../bundled-packages.ts';

const TEXTS = /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i;
/** Code of others in this repository, each with its notice. */
const OWN_NOTICES = [
  'packages/image/giflib/NOTICE',
  'packages/image/libjpeg/NOTICE',
  'packages/image/libwebp/NOTICE',
  'packages/laptop/service-model/NOTICE',
  'examples/fashion-mnist/LICENSE-fashion-mnist',
];

/** Licenses and notices of the package's contents, each text once with all packages that have it. */
export function thirdPartyNotices(root: string, packages: readonly BundledPackage[]): string {
  const owners = new Map<string, string[]>();
  const add = (text: string, owner: string): void => {
    const found = owners.get(text);
    if (found === undefined) owners.set(text, [owner]);
    else if (!found.includes(owner)) found.push(owner);
  };
  for (const one of packages)
    for (const text of textsOf(root, one)) add(text, `${one.name} ${one.version} (${one.license})`);
  for (const file of OWN_NOTICES) add(readFileSync(path.join(root, file), 'utf8').trim(), file);
  const blocks = [...owners].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `inferdrop contains the following packages and files.\n\n${blocks.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** A package without such a file only has its license in package.json. */
function textsOf(root: string, { place, license }: BundledPackage): readonly string[] {
  const folder = path.join(root, place);
  const files = readdirSync(folder).filter((file) => TEXTS.test(file));
  if (files.length === 0) return [`License: ${license}. The package has no text of it.`];
  return files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
}
