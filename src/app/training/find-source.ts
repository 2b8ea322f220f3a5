import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import {
  type FoundSource,
  isSourceDir,
  isSourceFile,
  MAX_SOURCE_FILES,
} from '../../training/judge-source.ts';
import type { SourceFile } from '../../training/training-plan.ts';

/** Cap on the bytes of a script that is read; longer Python is generated. */
const MAX_TEXT_BYTES = 1_000_000;

/** Key prefix of a pipeline's source folder. */
export function sourcePrefix(pipeline: string, sourceDir: string): string {
  return `${bucketLayout.pipelineFile(pipeline, sourceDir)}/`;
}

/** Lists a pipeline's source folder and reads its scripts. */
export async function findSource(
  store: ObjectStore,
  pipeline: string,
  sourceDir: string,
): Promise<FoundSource> {
  const prefix = sourcePrefix(pipeline, sourceDir);
  const place = `s3://${store.bucket}/${prefix}`;
  const files: SourceFile[] = [];
  if (!isSourceDir(sourceDir)) return { place, files, texts: new Map() };
  for await (const { key, size, etag } of store.list(prefix)) {
    const path = key.slice(prefix.length);
    if (path === '' || path.endsWith('/') || !isSourceFile(path)) continue;
    files.push({ path, bytes: size, etag });
    if (files.length > MAX_SOURCE_FILES) break;
  }
  const texts = new Map<string, string>();
  for (const { path, bytes } of files) {
    if (bytes > MAX_TEXT_BYTES || !(path.endsWith('.py') || path === 'requirements.txt')) continue;
    texts.set(path, (await store.readText(`${prefix}${path}`)) ?? '');
  }
  return { place, files, texts };
}
