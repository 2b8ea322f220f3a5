import { createHash } from 'node:crypto';
import path from 'node:path';
import { PAGE_STYLE } from '../../src/report/page/page-style.ts';

export const golden = (name: string) => path.resolve(import.meta.dirname, '../golden/report', name);

/** The page without the texts that all pages share: the style sheet gives way to its name, the script to its hash. */
export function withoutCommonText(page: string): string {
  return page
    .replace(`<style>${PAGE_STYLE}</style>`, '<style>PAGE_STYLE</style>')
    .replace(
      /<script>(.*)<\/script>/s,
      (_, script: string) =>
        `<script>sha256-${createHash('sha256').update(script).digest('base64')}</script>`,
    );
}
