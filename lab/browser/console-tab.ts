/**
 * A tab of the system's headless Chromium with the console of a stack in it, and a person's actions there. Pictures of failures go
 * to build/browser.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { openConsole } from '../../src/cli/console/open-console.ts';
import type { Console } from '../../src/cli/console/server.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import type { Laptop } from '../../test/support/laptop.ts';
import { check } from './check.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../build/browser');
/** Longest wait for a run or an endpoint on a busy machine. */
const PATIENCE_MS = 600_000;
const WIDTHS = [1280, 390];

/** Actions of a person in a tab, and what it has shown. */
export interface Tab {
  readonly page: Page;
  readonly pages: Console;
  /** Errors and warnings of the pages. */
  readonly noise: string[];
  /** Addresses other than the console's that were asked. */
  readonly foreign: string[];
  shows(text: string): Promise<void>;
  /** Waits until the page of an address that begins so is drawn: the address changes before. */
  at(beginning: string): Promise<void>;
  go(address: string): Promise<void>;
  click(words: string): Promise<void>;
  judge(name: string): Promise<void>;
  choose(selector: string, files: readonly string[]): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a console, and a browser with these switches. */
export async function openTab(laptop: Laptop, switches: readonly string[] = []): Promise<Tab> {
  mkdirSync(FOLDER, { recursive: true });
  const pages = await openConsole(laptop.application, 'dev', 0);
  const browser = await launchChromium(switches);
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const noise: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') noise.push(message.text());
  });
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${pages.origin}/`) && !/^(data|blob):/.test(url)) foreign.push(url);
  });
  page.setDefaultTimeout(PATIENCE_MS);
  // The console also draws in the frame after the event, which this listener hears first.
  await page.evaluateOnNewDocument(
    "addEventListener('hashchange', () => requestAnimationFrame(() => { globalThis.drawn = decodeURIComponent(location.hash); }))",
  );
  const picture = async (name: string): Promise<void> => {
    await page.screenshot({ path: path.join(FOLDER, `console-${name}.png`), fullPage: true });
  };
  return {
    page,
    pages,
    noise,
    foreign,
    shows,
    at,
    go,
    click,
    judge,
    choose,
    fill,
    picture,
    async close() {
      await browser.close();
      await pages.close();
    },
  };

  /** Waits until the page shows a text. */
  async function shows(text: string): Promise<void> {
    await page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  async function at(beginning: string): Promise<void> {
    await page.waitForFunction(`globalThis.drawn?.startsWith(${JSON.stringify(beginning)})`);
  }

  async function go(address: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${address}`)}`);
    await page.waitForFunction(`globalThis.drawn === ${JSON.stringify(`#/${decodeURIComponent(address)}`)}`);
    await page.waitForSelector('main h1');
  }

  /** Clicks the button or link with these words. */
  async function click(words: string): Promise<void> {
    await page.waitForFunction(`(() => {
    const found = [...document.querySelectorAll('button, a.button, label.button')].findLast(
      (one) => one.textContent.startsWith(${JSON.stringify(words)}) && !one.hasAttribute('disabled'),
    );
    found?.click();
    return found !== undefined;
  })()`);
  }

  /** Axe on the page as it is, in both themes, on a desk and on a phone. */
  async function judge(name: string): Promise<void> {
    for (const width of WIDTHS) {
      for (const theme of ['light', 'dark']) {
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: theme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ]);
        await page.evaluate(axe.source);
        const violations = await page.evaluate(
          'axe.run(document, { iframes: false }).then((found) => JSON.stringify(found.violations.map((v) => [v.id, ' +
            'v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160))])))',
        );
        const isFair = check(
          `${name}, ${width} px, ${theme}: axe finds nothing`,
          violations === '[]',
          violations,
        );
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        const fits = check(
          `${name}, ${width} px: nothing is wider than the page`,
          Number(overflow) <= 0,
          overflow,
        );
        if (!isFair || !fits) await picture(`${name}-${width}-${theme}`);
      }
    }
    await page.setViewport({ width: 1280, height: 900 });
  }

  async function choose(selector: string, files: readonly string[]): Promise<void> {
    const input = await page.waitForSelector(selector);
    const field = await input?.toElement('input');
    await field?.uploadFile(...files);
  }

  async function fill(selector: string, text: string): Promise<void> {
    await page.waitForSelector(selector);
    await page.click(selector, { count: 3 });
    await page.keyboard.press('Backspace');
    await page.type(selector, text);
  }
}
