import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PyodideAPI } from 'pyodide';
import { loadPyodide, version } from 'pyodide';

/** What handlers and the service import anyway; loaded before the snapshot is taken. */
const PRELOADED =
  'import base64, collections, csv, importlib.util, io, json, logging, math, os, re, struct, sys, traceback, typing, urllib.parse';

export interface BootOptions {
  /** Folder of the snapshot; beside the packages by default. */
  readonly cacheDir?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/**
 * Boots Python. The first boot on a machine costs seconds of CPU and leaves a snapshot of its memory, from which later ones
 * take a tenth of that. A snapshot belongs to one release of Pyodide and of Node, and is in no way specific to a script.
 */
export async function bootPyodide({
  cacheDir = defaultCacheDir(),
  environment,
  log,
}: BootOptions): Promise<PyodideAPI> {
  const file = join(cacheDir, `pyodide-${version}-node-${process.version}-${process.arch}.snapshot`);
  const snapshot = readIfThere(file);
  const streams = { stdout: log, stderr: log };
  const python = await loadPyodide({
    ...streams,
    env: { HOME: '/root' },
    ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }),
  });
  if (!snapshot) {
    python.runPython(PRELOADED);
    saveWhole(file, python.makeMemorySnapshot());
  }
  // The environment that the snapshot remembers is that of its making.
  python.globals.set('environment', JSON.stringify(environment));
  python.runPython('import json, os; os.environ.update(json.loads(environment)); del environment');
  return python;
}

function defaultCacheDir(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('pyodide'))), '..', '.cache', 'inferdrop');
}

function readIfThere(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** By rename, so that a container that starts meanwhile never reads half of it. */
function saveWhole(file: string, bytes: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.${performance.now()}.next`;
  writeFileSync(next, bytes);
  renameSync(next, file);
}
