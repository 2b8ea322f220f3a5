import { HEAD_BYTES } from '../../../src/file-kind/file-kind.ts';
import type { SentAs } from '../../../src/input/file-refusal.ts';
import { LookedAt, LooksAt } from '../../../src/input/looked-at.ts';
import type { Sent } from './upload.ts';

/** Looks at the first bytes of up to 1,000 files that are to be uploaded. */
export async function lookAtFiles(files: readonly Sent[], sent: SentAs): Promise<LookedAt> {
  const looks = new LooksAt<Sent>(({ path }) => path);
  for (const file of files) if (file.file.size > 0 && !/^labels\.[^/]*$/.test(file.path)) looks.add(file);
  const looked = new LookedAt(sent);
  for (const { file, path: name } of looks.files()) {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    looked.add({ name, head, sizeBytes: file.size });
  }
  return looked;
}
