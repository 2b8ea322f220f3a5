import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { writeWhole } from '../files/write-whole.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';

/** Default data folder of a stack, relative to the current folder. */
export const DEFAULT_DATA_DIR = '.inferdrop';

/** Prefix of access keys made for a stack on a machine; AWS's begin with AKIA or ASIA. */
export const LOCAL_KEY_PREFIX = 'LOCAL';

const FILE = 'credentials.json';

/** The access key of the owner of one stack on this machine. */
const StackCredentials = z.object({
  /** Address of the stack that last ran with this data. */
  endpoint: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
});
export type StackCredentials = z.infer<typeof StackCredentials>;

/** The access key of a data folder, with a random secret on first use; `open` makes it `test` with the secret `test`. */
export async function ownerKey(
  dataDir: string,
  open: boolean,
): Promise<Pick<StackCredentials, 'accessKeyId' | 'secretAccessKey'>> {
  if (open) return { accessKeyId: 'test', secretAccessKey: 'test' };
  const kept = await read(dataDir);
  if (kept !== undefined && kept.accessKeyId !== 'test') {
    const { accessKeyId, secretAccessKey } = kept;
    return { accessKeyId, secretAccessKey };
  }
  return {
    accessKeyId: `${LOCAL_KEY_PREFIX}${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  };
}

/** Stores the key where the commands of the same user find it: no other user can read the file. */
export async function storeCredentials(dataDir: string, credentials: StackCredentials): Promise<void> {
  await writeWhole(path.join(dataDir, FILE), `${JSON.stringify(credentials, null, 2)}\n`, 0o600);
}

/** The key and the data folder of the stack at an address, if that is the default folder, here or in this checkout. */
export async function findCredentials(
  endpoint: string,
): Promise<(StackCredentials & { readonly dataDir: string }) | undefined> {
  for (const folder of new Set([process.cwd(), ROOT])) {
    const dataDir = path.join(folder, DEFAULT_DATA_DIR);
    const found = await read(dataDir);
    if (found !== undefined && numbered(found.endpoint) === numbered(endpoint)) return { ...found, dataDir };
  }
  return undefined;
}

/** The endpoint with 127.0.0.1 instead of localhost: the stack listens only on that address. */
function numbered(endpoint: string): string {
  return endpoint.replace(/^http:\/\/localhost(?=:|$)/, 'http://127.0.0.1');
}

/** @throws {Refusal} if the file is damaged */
async function read(dataDir: string): Promise<StackCredentials | undefined> {
  const file = path.join(dataDir, FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return StackCredentials.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it lacks the access key';
    throw new Refusal(`${file} cannot be read (${reason}): delete it, and the stack makes a new key`);
  }
}
