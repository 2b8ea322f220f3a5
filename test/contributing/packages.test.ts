import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PACKAGES = path.join(ROOT, 'packages');
const names = readdirSync(PACKAGES);

/** Most public doors of a package. */
const MOST_DOORS = 3;

test.each(names)('%s has few public doors, which its README names; all others are internal', (name) => {
  const read = (file: string) => readFileSync(path.join(PACKAGES, name, file), 'utf8');
  const doors = Object.keys(JSON.parse(read('package.json')).exports).filter(
    (door) => !door.startsWith('./internal/'),
  );
  expect(doors.length).toBeLessThanOrEqual(MOST_DOORS);
  const readme = read('README.md');
  for (const door of doors)
    expect(readme).toContain(door === '.' ? `@inferdrop/${name}` : `\`${door.slice('./'.length)}\``);
  expect(readme.match(/@inferdrop\/[a-z-]+\/internal/g)).toBeNull();
});

test('no test of a package needs more of this repository than its packages', () => {
  const tests = globSync('packages/*/test/**/*.ts', { cwd: ROOT });
  expect(tests.length).toBeGreaterThan(100);
  const reaching = tests.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    return [...text.matchAll(/['`]((?:\.\.\/)+[^'`]+)/g)].flatMap(([, to = '']) => {
      const place = path.join(path.dirname(file), to).replaceAll(path.sep, '/');
      return /^(?:packages|examples|docs)(?:\/|$)/.test(place) ? [] : [`${file}: ${to}`];
    });
  });
  expect(reaching).toEqual([]);
});
