import { expect, it } from 'vitest';
import { isInstalled } from '../../scripts/installed-tree.mjs';

const pinned = (version: string) => ({ version, integrity: `sha512-${version}` });
const wanted = {
  packages: {
    '': { name: 'inferdrop' },
    'node_modules/a': pinned('1.0.0'),
    'node_modules/a/node_modules/b': pinned('2.0.0'),
    'node_modules/for-windows': { ...pinned('3.0.0'), optional: true },
    'node_modules/for-tests-on-windows': { ...pinned('4.0.0'), devOptional: true },
  },
};
const {
  '': _,
  'node_modules/for-windows': optional,
  'node_modules/for-tests-on-windows': __,
  ...needed
} = wanted.packages;

it('lets what only tests need be missing where it is not asked for, and takes it where it is there', () => {
  const withTests = { packages: { ...wanted.packages, 'node_modules/t': { ...pinned('5.0.0'), dev: true } } };
  const { 'node_modules/t': forTests } = withTests.packages;
  expect(isInstalled(withTests, { packages: needed }, { development: false })).toBe(true);
  expect(isInstalled(withTests, { packages: needed })).toBe(false);
  const all = { packages: { ...needed, 'node_modules/t': forTests } };
  expect(isInstalled(withTests, all, { development: false })).toBe(true);
  expect(isInstalled(withTests, all)).toBe(true);
});

it('takes what npm installed by itself for what the lockfile wants, whatever is for other machines', () => {
  expect(isInstalled(wanted, { packages: needed })).toBe(true);
  expect(isInstalled(wanted, { packages: { ...needed, 'node_modules/for-windows': optional } })).toBe(true);
});

it.each([
  ['a package less', { 'node_modules/a': pinned('1.0.0') }],
  ['a package more', { ...needed, 'node_modules/c': pinned('1.0.0') }],
  ['another version', { ...needed, 'node_modules/a': pinned('1.0.1') }],
  ['other bytes', { ...needed, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } }],
  ['a workspace that is gone', { ...needed, 'node_modules/w': { resolved: 'packages/w', link: true } }],
  ['nothing', {}],
])('takes %s for a tree to be installed', (_what, packages) => {
  expect(isInstalled(wanted, { packages })).toBe(false);
});
