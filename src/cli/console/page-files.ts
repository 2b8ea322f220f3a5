import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { consoleScript } from '#console-script';
import { ROOT } from '../root-folder.ts';

/** A file of the pages. */
export interface PageFile {
  readonly contentType: string;
  readonly body: string;
}

const FOLDER = path.join(ROOT, 'web', 'console');

/** The files of the pages by their addresses: nothing else of the file system can be asked for. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const [page, style, script] = await Promise.all([
    readFile(path.join(FOLDER, 'index.html'), 'utf8'),
    readFile(path.join(FOLDER, 'style.css'), 'utf8'),
    consoleScript(),
  ]);
  return new Map([
    ['/', { contentType: 'text/html; charset=utf-8', body: page }],
    ['/style.css', { contentType: 'text/css; charset=utf-8', body: style }],
    ['/console.js', { contentType: 'text/javascript; charset=utf-8', body: script }],
  ]);
}
