/** Imported by the command where Node is too old, before it has another one downloaded: rejects where credentials are missing. */
import { requireCredentials } from '../require-credentials.mjs';

await requireCredentials(process.argv.slice(2));
