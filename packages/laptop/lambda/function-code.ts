import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import type { FunctionConfig, FunctionRecord } from './function-config.ts';
import { unzip } from './unzip.ts';

/**
 * Unzips an object below `dir`, once for each content.
 *
 * @throws {AwsError} `InvalidParameterValueException`
 */
export async function unpackCode(
  dir: string,
  objects: ObjectAccess,
  { bucket, key }: { readonly bucket: string; readonly key: string },
): Promise<Pick<FunctionConfig, 'codeFolder' | 'codeSha256' | 'codeSize'>> {
  const archive = await objects.read(bucket, key);
  if (!archive) throw invalid(`Error occurred while GetObject. s3://${bucket}/${key} does not exist.`);
  const sha256 = createHash('sha256').update(archive).digest();
  const codeFolder = join('code', sha256.toString('hex').slice(0, 32));
  const folder = join(dir, codeFolder);
  if (!existsSync(folder)) {
    const next = `${folder}.next`;
    await rm(next, { recursive: true, force: true });
    await unzip(archive, next).catch((error: unknown) => {
      throw invalid(
        `Could not unzip s3://${bucket}/${key}: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    await rename(next, folder);
  }
  return { codeFolder, codeSha256: sha256.toString('base64'), codeSize: archive.length };
}

/** Removes the code that an earlier deployment used, and what was compiled of it. */
export function removeUnusedCode(dir: string, records: Iterable<FunctionRecord>): void {
  const folder = join(dir, 'code');
  if (!existsSync(folder)) return;
  const used = new Set(Array.from(records, ({ latest }) => basename(latest.codeFolder)));
  for (const name of readdirSync(folder)) {
    if (!used.has(name.split('.')[0] ?? '')) rmSync(join(folder, name), { recursive: true });
  }
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterValueException', message, { details: { Type: 'User' } });
}
