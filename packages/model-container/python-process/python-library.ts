import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Variables that a script is given of the user's shell. It runs as the user: files and processes are as open to it as to them. */
const INHERITED =
  'PATH HOME LANG TMPDIR TEMP TMP SYSTEMROOT USERPROFILE SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE'.split(
    ' ',
  );

/** The ones that are set. */
export function inheritedVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Folder of the modules that processes of Python share. */
export function pythonLibrary(): string {
  return dirname(
    fileURLToPath(import.meta.resolve('#model-container/python-process/python/inferdrop_channel.py')),
  );
}
