import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ContainerHostOptions, createContainerHost } from '../container-host.ts';
import { unpackModelArchive } from '../model-archive.ts';
import { modelArchive } from '../test/support/model-archive.ts';

export const FAKE_ENGINE = new URL('../test/support/fake-engine.ts', import.meta.url).href;

/** A container of an archive's files, and how to ask it. */
export async function startTestContainer(
  image: string,
  archive: Readonly<Record<string, string>> | Buffer,
  options: ContainerHostOptions,
  environment: Readonly<Record<string, string>> = {},
  networkIsolation = false,
) {
  const modelDir = mkdtempSync(join(tmpdir(), 'container-'));
  await unpackModelArchive(
    Readable.from([Buffer.isBuffer(archive) ? archive : await modelArchive(archive)]),
    modelDir,
  );
  const log: string[] = [];
  const container = createContainerHost(options)({
    image,
    modelDir,
    environment,
    networkIsolation,
    log: (line) => void log.push(line),
  });
  const url = await container.listening;
  return {
    container,
    modelDir,
    log,
    async ask(path: string, body?: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
      const response = await fetch(
        `${url.href}${path}`,
        body === undefined ? {} : { method: 'POST', body, headers },
      );
      const type = response.headers.get('content-type');
      return { status: response.status, type, text: await response.text() };
    },
  };
}
