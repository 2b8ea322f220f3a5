import { type Header, pack } from 'tar-stream';

/** A member: its content, or a header with it. */
export type PackedMember = string | Uint8Array | (Partial<Header> & { readonly body?: string | Uint8Array });

/** A tar of members by name, in their order; a list of pairs may have a name twice. */
export async function packedTar(
  members: Readonly<Record<string, PackedMember>> | readonly (readonly [string, PackedMember])[],
): Promise<Buffer> {
  const tar = pack();
  for (const [name, member] of Array.isArray(members) ? members : Object.entries(members)) {
    const isBody = typeof member === 'string' || member instanceof Uint8Array;
    const { body = '', ...header } = isBody ? { body: member } : member;
    tar.entry({ name, ...header }, Buffer.from(body));
  }
  tar.finalize();
  return Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Buffer>));
}
