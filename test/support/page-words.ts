import type { Markup } from '../../src/report/page/markup.ts';

/** The text of a piece of a page, as it is read aloud: without elements and drawings, one space between words. */
export function pageWords({ markup }: Markup): string {
  return markup
    .replace(/<svg.*?<\/svg>|<style>.*?<\/style>|<script.*?<\/script>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
