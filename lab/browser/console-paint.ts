/**
 * `node lab/browser/console-paint.ts`: first paint of the page of a run of 20,000 inputs, in turn with an empty page of
 * the same server in the same browser, on the stack of this machine; and the time until its report is drawn in its
 * frame.
 */
import type { BrowserContext } from 'puppeteer-core';
import { openConsole } from '../../src/cli/console/open-console.ts';
import { reportHtml } from '../../src/report/page/report-html.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import { startLaptop } from '../../test/support/laptop.ts';
import { syntheticReport } from '../../test/support/synthetic-report.ts';
import { check, conclude } from './check.ts';

const CLASSES = 10;
const INPUTS = 20_000;
const TRIALS = 7;
const LIMIT_MS = 1_000;

const laptop = await startLaptop();
const pages = await openConsole(laptop.application, 'dev', 0);
const browser = await launchChromium();
try {
  const report = syntheticReport(CLASSES, INPUTS);
  const run = parseRunId(report.run);
  if (run === undefined) throw new Error(report.run);
  const { store } = laptop.application;
  await store.write(bucketLayout.reportJson(run), JSON.stringify(report));
  await store.write(bucketLayout.reportHtml(run), reportHtml(report));
  const own = browser.defaultBrowserContext();
  const door = await own.newPage();
  await door.goto(pages.address);
  const times: { readonly empty: number; readonly run: number; readonly report: number }[] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) {
    // A browser that is not let in gets a page with a title and a line, without script and style.
    const stranger = await browser.createBrowserContext();
    const empty = await paint(stranger, `${pages.origin}/`);
    await stranger.close();
    const shown = await paint(
      own,
      `${pages.origin}/#/run/${encodeURIComponent(report.run)}`,
      '.report iframe',
    );
    times.push({ empty: empty.firstMs, run: shown.firstMs, report: shown.drawnMs });
  }
  const middle = (of: (one: (typeof times)[number]) => number): number =>
    times.map(of).toSorted((a, b) => a - b)[TRIALS >> 1] ?? 0;
  const found = middle((one) => one.run);
  process.stdout.write(
    `first paint: an empty page ${middle((one) => one.empty).toFixed(0)} ms, the run of ${INPUTS} inputs ` +
      `${found.toFixed(0)} ms, its report drawn after ${middle((one) => one.report).toFixed(0)} ms (medians of ` +
      `${TRIALS})\n`,
  );
  check(`the page of the run is painted within ${LIMIT_MS} ms`, found <= LIMIT_MS, times);
} finally {
  await browser.close();
  await pages.close();
  await laptop.close();
}
conclude();

/** Opens a page in a tab of its own: time of its first paint with content, and of the end of a frame's first drawing. */
async function paint(
  context: BrowserContext,
  address: string,
  frame?: string,
): Promise<{ readonly firstMs: number; readonly drawnMs: number }> {
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(address);
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
  const firstMs = Number(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
  );
  if (frame !== undefined) {
    const report = await (await page.waitForSelector(frame))?.contentFrame();
    await report?.waitForSelector('#matrix');
  }
  const drawnMs = performance.now() - began;
  await page.close();
  return { firstMs, drawnMs };
}
