import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RequestProblem } from '../../api/problem-details.ts';

/** Drafts at once: another one takes the place of the oldest. */
const MAX_DRAFTS = 4;

/** A pipeline in the making: the files that a page has sent, only on this machine. */
export interface Draft {
  readonly id: string;
  /** Folder of the model's files. */
  readonly model: string;
  /** Folder of the sample. */
  readonly sample: string;
  /** A folder for the pipeline's files that nothing lies in yet. */
  nextOutput(): string;
  /** The folder of the last proposal; undefined before one. */
  output: string | undefined;
  /** Stores a file below the model or the sample. */
  write(part: 'model' | 'sample', name: string, body: Readable): Promise<void>;
}

/** Pipelines in the making. */
export interface Drafts {
  create(): Promise<Draft>;
  /** @throws {RequestProblem} for a draft that is no more */
  find(id: string): Draft;
  /** Deletes all of them. */
  close(): Promise<void>;
}

/** No drafts yet; their folders lie where the system keeps what may be deleted. */
export function drafts(): Drafts {
  const all = new Map<string, { readonly folder: string; readonly draft: Draft }>();
  const remove = async (id: string): Promise<void> => {
    const found = all.get(id);
    all.delete(id);
    if (found !== undefined) await rm(found.folder, { recursive: true, force: true });
  };
  return {
    async create() {
      const [oldest] = all.keys();
      if (all.size >= MAX_DRAFTS && oldest !== undefined) await remove(oldest);
      const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-draft-'));
      const draft = draftIn(folder);
      all.set(draft.id, { folder, draft });
      return draft;
    },
    find(id) {
      const found = all.get(id);
      if (found !== undefined) return found.draft;
      throw new RequestProblem('invalid-request', 'what was sent is no longer there: choose the files again');
    },
    async close() {
      await Promise.all([...all.keys()].map(remove));
    },
  };
}

function draftIn(folder: string): Draft {
  let outputs = 0;
  const draft: Draft = {
    id: randomUUID(),
    model: path.join(folder, 'model'),
    sample: path.join(folder, 'sample'),
    output: undefined,
    nextOutput: () => path.join(folder, `output-${(outputs += 1)}`),
    async write(part, name, body) {
      const file = path.join(draft[part], ...name.split('/'));
      // The name comes from a page: it must stay below its folder, whatever the path of this machine means by it.
      if (name === '' || !file.startsWith(draft[part] + path.sep) || name.includes('\0'))
        throw new RequestProblem('invalid-request', `${name} cannot be the name of a file`);
      await mkdir(path.dirname(file), { recursive: true });
      await pipeline(body, createWriteStream(file, { mode: 0o600 }));
    },
  };
  return draft;
}
