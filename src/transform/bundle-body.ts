import { type AddedFile, appendToTar } from '../model/append-to-tar.ts';
import type { BundleForm } from './request-limits.ts';

/**
 * A bundle of inputs as it is sent: a tar or texts, with the number and the type of the inputs first, or lines.
 *
 * @param bodies undefined for an input that is gone
 */
export async function bundleBody(
  form: Exclude<BundleForm, 'list'>,
  contentType: string,
  bodies: readonly (Buffer | undefined)[],
): Promise<Buffer | string> {
  const about = JSON.stringify({ inputs: bodies.length, contentType });
  switch (form) {
    case 'tar':
      return toTar(about, bodies);
    case 'lines':
      return toLines(bodies);
    case 'records':
      return toRecords(about, bodies);
  }
}

/** Files named for their places; the first one is about all. */
async function toTar(about: string, bodies: readonly (Buffer | undefined)[]): Promise<Buffer> {
  const files: AddedFile[] = [{ name: 'bundle.json', body: Buffer.from(about) }];
  for (const [place, body] of bodies.entries())
    if (body !== undefined) files.push({ name: String(place).padStart(6, '0'), body });
  return Buffer.concat(await Array.fromAsync(appendToTar(nothing(), files)));
}

/** Records as they are, without one that is gone. */
function toLines(bodies: readonly (Buffer | undefined)[]): string {
  return bodies.map((body) => (body === undefined ? '' : `${body.toString()}\n`)).join('');
}

/** Lines of JSON: texts, since a record may hold line breaks; null for one that is gone. */
function toRecords(about: string, bodies: readonly (Buffer | undefined)[]): string {
  const lines = bodies.map((body) => JSON.stringify(body?.toString() ?? null));
  return [about, ...lines].map((line) => `${line}\n`).join('');
}

/** A tar that is yet to have files. */
async function* nothing(): AsyncGenerator<Uint8Array> {}
