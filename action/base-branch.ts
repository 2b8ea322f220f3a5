import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { Refused } from './refused.ts';

const MAX_TEXT_BYTES = 32 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}$/;
/** Mode of a submodule in a tree. */
const SUBMODULE = '160000';
/** Names of branches, narrower than git's: none can be an option, a range or a path of another revision. */
const BRANCH = /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./+-]*$/;

/** The files of the base branch, next to the checkout of a pull request. */
export interface BaseBranch {
  /** Text of a file in a folder of the checkout; undefined if the base doesn't have it. */
  text(folder: string, name: string): Promise<string | undefined>;
  /** A copy of a folder of the checkout as the base has it. */
  copyOf(folder: string): Promise<string>;
  /**
   * A folder in which what the request has changed, added or deleted is undone, in a copy if there is such a change. Files that git does
   * not keep, such as downloaded ones, stay, and so does a folder that is new.
   */
  withoutChanges(
    folder: string,
  ): Promise<{ readonly folder: string; readonly change: 'undone' | 'new' | null }>;
}

/**
 * Opens the base branch in the repository of a checkout.
 *
 * @param ref a commit, or the name of a branch
 * @param scratch a folder for copies
 * @throws {Refused} if there is no such commit, with the setting to change
 */
export async function openBase(workspace: string, ref: string, scratch: string): Promise<BaseBranch> {
  const root = await realpath(workspace);
  const found = await git(root, ['rev-parse', '--absolute-git-dir']);
  const gitDir = path.join(root, '.git');
  if (found.output.trim() !== gitDir)
    throw new Refused(
      `base-ref needs the repository in the workspace (actions/checkout without path): ${found.output.trim()}`,
    );
  const commit = await findCommit(root, ref);

  /** A folder's path in the tree; undefined outside of the checkout. */
  const placeOf = async (folder: string): Promise<string | undefined> => {
    const place = path.relative(workspace, path.resolve(workspace, folder)).split(path.sep).join('/');
    if (place === '..' || place.startsWith('../') || path.isAbsolute(place)) return undefined;
    const named = path.join(root, place);
    // A link of the request would lead to files that the base keeps for something else.
    if ((await realpath(named).catch(() => named)) !== named)
      throw new Refused(`${folder} leads through a link: name the folder itself`);
    return place === '' ? '.' : place;
  };
  const has = async (place: string): Promise<boolean> =>
    (await git(root, ['cat-file', '-e', `${commit}:${place === '.' ? '' : place}`])).isDone;
  /**
   * Lays the base's files into a work tree of its own, so that the checkout stays as it is. The whole base is in its index, and git
   * converts files by the .gitattributes there.
   */
  const lay = async (tree: string, place: string): Promise<string> => {
    const own = [`--git-dir=${gitDir}`, `--work-tree=${tree}`];
    for (const args of [
      ['read-tree', commit],
      ['checkout', '--quiet', '--force', commit, '--', place],
    ]) {
      const { isDone, output } = await git(tree, [...own, ...args], { GIT_INDEX_FILE: `${tree}.index` });
      if (!isDone) throw new Error(`git ${args.join(' ')}: ${output}`);
    }
    return path.join(tree, place);
  };

  return {
    async text(folder, name) {
      const place = await placeOf(folder);
      const file = place === undefined ? undefined : path.posix.join(place, name);
      if (file === undefined || !(await has(file))) return undefined;
      return (await git(root, ['show', `${commit}:${file}`])).output;
    },
    async copyOf(folder) {
      const tree = await mkdtemp(path.join(scratch, 'base-'));
      return lay(tree, (await placeOf(folder)) ?? '.');
    },
    async withoutChanges(folder) {
      const place = await placeOf(folder);
      if (place === undefined) return { folder, change: null };
      if (!(await has(place))) {
        const isKept = (await git(root, ['ls-files', '--', place])).output !== '';
        return { folder, change: isKept ? 'new' : null };
      }
      // Attributes of a folder above also convert its files, and git calls converted files unchanged.
      const above = place
        .split('/')
        .map((_, depth, parts) => [...parts.slice(0, depth), '.gitattributes'].join('/'));
      const compared = [
        'diff',
        '--raw',
        '-z',
        '--no-renames',
        '--ignore-submodules=none',
        commit,
        '--',
        place,
        ...above,
      ];
      const { isDone, output } = await git(root, compared);
      if (!isDone) throw new Error(`git ${compared.join(' ')}: ${output}`);
      const changes = [...output.matchAll(/:(\d+) (\d+) \w+ \w+ (\w)\0([^\0]+)\0/g)];
      if (changes.length === 0) return { folder, change: null };
      if (changes.some(([, before, after]) => before === SUBMODULE || after === SUBMODULE))
        throw new Refused(
          `${folder} has a submodule that the request changes: change it in a request of its own`,
        );
      const tree = await mkdtemp(path.join(scratch, 'inputs-'));
      const [from, to] = [path.join(root, place), path.join(tree, place)];
      await mkdir(to, { recursive: true });
      if (existsSync(from)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
      for (const [, , , status, added = ''] of changes)
        if (status === 'A') await rm(path.join(tree, added), { force: true });
      return { folder: await lay(tree, place), change: 'undone' };
    },
  };
}

/** Finds a commit, and fetches it if the checkout lacks it. */
async function findCommit(root: string, ref: string): Promise<string> {
  const isCommit = COMMIT.test(ref);
  if (isCommit && (await git(root, ['cat-file', '-e', `${ref}^{commit}`])).isDone) return ref;
  if (!isCommit && !BRANCH.test(ref))
    throw new Refused(`base-ref must be a commit or the name of a branch, is ${JSON.stringify(ref)}`);
  const shallow = await git(root, ['rev-parse', '--is-shallow-repository']);
  // By its full name: a tag of the same name, which whoever may push can make, would come first.
  const fetched = await git(root, [
    ...[
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-recurse-submodules',
      ...(shallow.output.trim() === 'true' ? ['--depth=1'] : []),
    ],
    ...['origin', isCommit ? ref : `refs/heads/${ref}`],
  ]);
  const head = await git(root, ['rev-parse', '--verify', '--quiet', 'FETCH_HEAD^{commit}']);
  if (fetched.isDone && head.isDone) return head.output.trim();
  throw new Refused(
    `base-ref: ${ref} is not in this checkout, and git could not fetch it: give actions/checkout fetch-depth: 0. ${fetched.output.trim()}`,
  );
}

/** Runs git; `output` has its message if it fails. */
async function git(
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_LITERAL_PATHSPECS: '1', ...environment };
  return new Promise((resolve) => {
    execFile('git', args, { cwd, env, maxBuffer: MAX_TEXT_BYTES }, (error, output, said) =>
      resolve({ isDone: error === null, output: error === null ? output : said || error.message }),
    );
  });
}
