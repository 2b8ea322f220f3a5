import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBase } from '../../../action/base-branch.ts';
import { archiveIn, requestText } from '../../../action/pipeline-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let origin: string;
let workspace: string;
let scratch: string;
let base: string;

const git = (cwd: string, ...args: string[]): string => {
  const identity = ['-c', 'user.name=me', '-c', 'user.email=me@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
};
const write = (file: string, text: string, root = origin): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const commit = (): string => {
  git(origin, 'add', '-A');
  git(origin, 'commit', '-q', '-m', 'change');
  return git(origin, 'rev-parse', 'HEAD');
};

/** Checks the origin's branch out as actions/checkout does by default: one commit, no other branch. */
function checkOut(...depth: string[]): void {
  workspace = temporaryFolder('workspace-');
  git(
    workspace,
    'clone',
    '-q',
    ...depth,
    '--single-branch',
    '--branch',
    'request',
    pathToFileURL(origin).href,
    '.',
  );
}

beforeEach(() => {
  origin = temporaryFolder('origin-');
  scratch = temporaryFolder('scratch-');
  git(origin, 'init', '-q');
  write('p/pipeline.json', 'of the base');
  write('p/images/cat/1.png', 'cat');
  write('p/images/labels.csv', 'true');
  write('p/images/gone.png', 'dog');
  base = commit();
  git(origin, 'switch', '-q', '-c', 'request');
  write('p/pipeline.json', 'of the request');
  write('p/images/labels.csv', 'false');
  write('p/images/job.json', '{"sample": {"inputs": 1}}');
  rmSync(path.join(origin, 'p/images/gone.png'));
  commit();
});

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
    .sort();

describe.each([
  ['a commit in a checkout of one commit', ['--depth=1'], () => base],
  ['a branch in a checkout of one commit', ['--depth=1'], () => 'main'],
  ['a commit in a whole checkout', [], () => base],
  ['a branch in a whole checkout', [], () => 'main'],
])('%s', (_, depth, ref) => {
  beforeEach(() => checkOut(...depth));

  it("is read, and the request's checkout stays as it is", async () => {
    const opened = await openBase(workspace, ref(), scratch);
    expect(await opened.text('p', 'pipeline.json')).toBe('of the base');
    expect(await opened.text('p', 'other.json')).toBeUndefined();
    expect(await opened.text('elsewhere', 'pipeline.json')).toBeUndefined();
    expect(readFileSync(path.join(await opened.copyOf('p'), 'pipeline.json'), 'utf8')).toBe('of the base');
    await opened.withoutChanges('p/images');
    expect(git(workspace, 'status', '--short')).toBe('');
  });
});

it("inputs are the base's, but for files that git does not keep", async () => {
  checkOut('--depth=1');
  write('p/images/downloaded.png', 'x', workspace);
  const { folder, change } = await (await openBase(workspace, base, scratch)).withoutChanges('p/images');
  expect(change).toBe('undone');
  expect(files(folder)).toEqual(['cat/1.png', 'downloaded.png', 'gone.png', 'labels.csv']);
  expect(readFileSync(path.join(folder, 'labels.csv'), 'utf8')).toBe('true');
  expect(existsSync(path.join(workspace, 'p/images/job.json'))).toBe(true);
});

it('inputs are taken as they are if nothing has changed, or the base does not have them', async () => {
  checkOut('--depth=1');
  const opened = await openBase(workspace, base, scratch);
  const outside = temporaryFolder('outside-');
  for (const folder of ['p/images/cat', 'not-there', outside])
    expect(await opened.withoutChanges(folder)).toEqual({ folder, change: null });
});

it('files are those of the base byte by byte, whatever .gitattributes of the request say', async () => {
  for (const [place, of] of [
    ['.gitattributes', 'p/images/kept/*'],
    ['p/.gitattributes', 'images/kept/*'],
    ['p/images/kept/.gitattributes', '*'],
  ] as const) {
    git(origin, 'switch', '-q', 'main');
    write('p/images/kept/labels.csv', 'a,cat\nb,dog\n');
    const of1 = commit();
    git(origin, 'switch', '-q', '-C', 'request');
    write(place, `${of} text eol=crlf\n`);
    commit();
    checkOut();
    expect(readFileSync(path.join(workspace, 'p/images/kept/labels.csv'), 'utf8')).toContain('\r\n');
    const { folder, change } = await (
      await openBase(workspace, of1, scratch)
    ).withoutChanges('p/images/kept');
    expect([place, change, readFileSync(path.join(folder, 'labels.csv'), 'utf8')]).toEqual([
      place,
      'undone',
      'a,cat\nb,dog\n',
    ]);
    git(origin, 'switch', '-q', 'main');
    write('p/images/kept/labels.csv', place);
    commit();
  }
});

it("a copy of the base's folder is converted as the base's .gitattributes say", async () => {
  git(origin, 'switch', '-q', 'main');
  write('.gitattributes', '*.txt text eol=crlf\n');
  write('q/a.txt', 'a\n');
  const whole = commit();
  checkOut();
  const folder = await (await openBase(workspace, whole, scratch)).copyOf('q');
  expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('a\r\n');
});

it('a submodule that the request brings into the inputs is refused', async () => {
  git(origin, 'update-index', '--add', '--cacheinfo', `160000,${base},p/images/easy`);
  git(origin, 'commit', '-q', '-m', 'submodule');
  checkOut();
  write('p/images/easy/1.png', 'easy', workspace);
  const opened = await openBase(workspace, base, scratch);
  await expect(opened.withoutChanges('p/images')).rejects.toThrow('p/images has a submodule');
});

it('a folder that the request has added is told apart from one that was downloaded', async () => {
  write('p/more/1.png', 'cat');
  commit();
  checkOut();
  write('p/downloaded/1.png', 'cat', workspace);
  const opened = await openBase(workspace, 'main', scratch);
  expect(await opened.withoutChanges('p/more')).toEqual({ folder: 'p/more', change: 'new' });
  expect(await opened.withoutChanges('p/downloaded')).toEqual({ folder: 'p/downloaded', change: null });
});

it('a folder that the request has deleted comes back', async () => {
  rmSync(path.join(origin, 'p/images'), { recursive: true });
  commit();
  checkOut();
  const { folder } = await (await openBase(workspace, 'main', scratch)).withoutChanges('p/images');
  expect(files(folder)).toEqual(['cat/1.png', 'gone.png', 'labels.csv']);
});

it('a tag that is named as the branch is not taken for it', async () => {
  git(origin, 'tag', 'main', 'request');
  checkOut();
  git(workspace, 'fetch', '-q', '--tags');
  expect(await (await openBase(workspace, 'main', scratch)).text('p', 'pipeline.json')).toBe('of the base');
});

it('a ref is no option, range, path or revision', async () => {
  checkOut();
  for (const ref of [
    '--upload-pack=touch x',
    '-h',
    'a..b',
    'main:p',
    'main^',
    'HEAD@{1}',
    '',
    'main p',
    '../main',
  ])
    await expect(openBase(workspace, ref, scratch)).rejects.toThrow(
      `base-ref must be a commit or the name of a branch, is ${JSON.stringify(ref)}`,
    );
});

it('a commit or branch that is nowhere is refused, with what to set', async () => {
  checkOut('--depth=1');
  for (const ref of ['0123456789012345678901234567890123456789', 'other'])
    await expect(openBase(workspace, ref, scratch)).rejects.toThrow(
      `base-ref: ${ref} is not in this checkout, and git could not fetch it: give actions/checkout fetch-depth: 0.`,
    );
});

it('the repository must be that of the workspace, which no request can put there', async () => {
  checkOut();
  await expect(openBase(path.join(workspace, 'p'), base, scratch)).rejects.toThrow(
    'base-ref needs the repository',
  );
  await expect(openBase(scratch, base, scratch)).rejects.toThrow('base-ref needs the repository');
});

it('a folder that a link leads to is refused: the base keeps it for something else', async () => {
  write('easy/1.png', 'cat');
  rmSync(path.join(origin, 'p/images'), { recursive: true });
  symlinkSync('../easy', path.join(origin, 'p/images'));
  commit();
  checkOut();
  const opened = await openBase(workspace, base, scratch);
  await expect(opened.withoutChanges('p/images')).rejects.toThrow('p/images leads through a link');
  await expect(opened.text('p/images', 'a')).rejects.toThrow('p/images leads through a link');
});

it('a file that is a link out of the checkout is refused, one within it is read', async () => {
  const secret = path.join(temporaryFolder('secret-'), 'key');
  writeFileSync(secret, 'secret');
  rmSync(path.join(origin, 'p/pipeline.json'));
  symlinkSync(secret, path.join(origin, 'p/pipeline.json'));
  write('models/m.tar.gz', 'model');
  symlinkSync('../models/m.tar.gz', path.join(origin, 'p/model.tar.gz'));
  commit();
  checkOut();
  await expect(requestText(workspace, 'p')).rejects.toThrow('pipeline.json in p is a link that leads out of');
  expect(await archiveIn(workspace, 'p')).toBe(path.join(workspace, 'models/m.tar.gz'));
  expect(await archiveIn(workspace, 'models')).toBeUndefined();
});
