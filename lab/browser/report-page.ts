/**
 * `npm run test:browser`: report.html in the system's own headless Chromium, light and dark. No console error, nothing
 * requested, hover, keys and sorting work, and axe finds nothing. Screenshots go to build/browser.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { reportHtml } from '../../src/report/page/report-html.ts';
import type { Report } from '../../src/report/report.ts';
import { confusionMatrixSvg } from '../../src/report/svg/confusion-matrix-svg.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import { syntheticReport } from '../../test/support/synthetic-report.ts';
import { unjudgedReport } from '../../test/support/unjudged-report.ts';
import { check, conclude } from './check.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../build/browser');
const SIZES = [2, 10, 100, 1_000].filter(
  (size) => process.env['SIZE'] === undefined || Number(process.env['SIZE']) === size,
);

async function look(page: Page, name: string, file: string): Promise<void> {
  const noise: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') noise.push(message.text());
  });
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  check(`${name}: silent`, noise.length === 0, noise);
  const foreign = requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'));
  check(`${name}: nothing requested`, foreign.length === 0, foreign);

  await page.evaluate(axe.source);
  await obey(page, name);
}

async function obey(page: Page, name: string): Promise<void> {
  const violations = await page.evaluate(
    'axe.run().then((found) => JSON.stringify(found.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160))])))',
  );
  check(`${name}: axe finds nothing`, violations === '[]', violations);
}

/** Cells and confusions show their records, and Escape brings the list back. */
async function openCells(page: Page, name: string): Promise<void> {
  const shown = () => page.$eval('#exemplars', (element) => element.textContent ?? '');
  const focused = () =>
    page.evaluate('document.activeElement.dataset.cell ?? document.activeElement.tagName');
  if ((await page.$('#matrix')) !== null) {
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    check(
      `${name}: Enter shows the records of a cell`,
      (await shown()).includes('recognized'),
      await shown(),
    );
    check(`${name}: the cell keeps the focus`, (await focused()) === 'TD', await focused());
    await page.keyboard.press('Escape');
    check(`${name}: Escape closes them`, (await shown()) === '', await shown());
  }
  const cell = await page.$eval('.pairs button', (button) => button.getAttribute('data-cell'));
  await page.focus('.pairs button');
  await page.keyboard.press('Enter');
  check(`${name}: a confusion shows its records`, (await shown()).includes(' taken for '), await shown());
  check(`${name}: and gives the focus to Close`, (await focused()) === 'BUTTON', await focused());
  await page.screenshot({ path: path.join(FOLDER, `${name}-cell.png`), fullPage: true });
  await obey(page, `${name} with a cell open`);
  const heading = () => page.$eval('#exemplars h3', (element) => element.textContent ?? '');
  const first = await heading();
  await page.keyboard.press('ArrowRight');
  const second = await heading();
  check(`${name}: an arrow leads to the next cell`, second !== first && second !== '', [first, second]);
  await page.keyboard.press('ArrowLeft');
  check(`${name}: and back to the first`, (await heading()) === first, await heading());
  await page.focus('#exemplars button:last-child');
  await page.keyboard.press('Enter');
  check(
    `${name}: Close gives it back`,
    (await shown()) === '' && (await focused()) === cell,
    await focused(),
  );
}

async function tryOut(page: Page, name: string): Promise<void> {
  const text = (selector: string) => page.$eval(selector, (element) => element.textContent ?? '');
  const target = (await page.$('#matrix tbody td')) ?? (await page.$('#plane canvas'));
  const before = await text('#readout');
  await target?.hover();
  const hovered = await text('#readout');
  check(`${name}: hover tells a cell`, hovered !== before && hovered.includes(' of '), hovered);
  await target?.focus();
  await page.keyboard.press('ArrowRight');
  const moved = await text('#readout');
  check(`${name}: an arrow key moves on`, moved !== hovered && moved.includes(' of '), moved);

  await openCells(page, name);

  const orders = await page.$$eval('input[name=order]', (inputs) =>
    inputs.map((input) => input.getAttribute('value')),
  );
  for (const order of orders)
    await page.$eval(`input[name=order][value=${order}]`, (input) =>
      (input as unknown as { click(): void }).click(),
    );
  for (const norm of ['col', 'all', 'count', 'row']) {
    await page.$eval(`input[name=norm][value=${norm}]`, (input) =>
      (input as unknown as { click(): void }).click(),
    );
  }
  const firstClass = () => text('#class-table tbody tr td');
  const worst = await firstClass();
  const recall = '#class-table thead th:nth-child(3) button';
  await page.click(recall);
  const best = await firstClass();
  check(`${name}: a heading sorts`, best !== worst, [worst, best]);
  const sorted = await page.$eval('#class-table thead th:nth-child(3)', (head) =>
    head.getAttribute('aria-sort'),
  );
  check(`${name}: and says so`, sorted === 'descending', sorted);
  if ((await page.$('#zoom-in')) !== null) {
    await page.click('#zoom-in');
    await page.click('#zoom-reset');
    const find = async (wanted: string): Promise<void> => {
      await page.click('#matrix-find', { count: 3 });
      await page.type('#matrix-find', `${wanted}\n`);
    };
    await find('pink crane');
    const unknown = await text('#matrix-find + output');
    check(`${name}: an unknown class is refused`, unknown === 'No class has this name.', unknown);
    await find('amber crane');
    check(`${name}: until another is looked for`, (await text('#matrix-find + output')) === '');
    check(
      `${name}: a class is found`,
      (await text('#readout')).includes('amber crane'),
      await text('#readout'),
    );
  }
  if ((await page.$('#classes [type=search]')) !== null) {
    await page.type('#classes [type=search]', 'pink');
    const none = await text('#classes output');
    check(`${name}: a filter that leaves no class says so`, none === 'No class has this in its name.', none);
  }
  await page.screenshot({ path: path.join(FOLDER, `${name}-used.png`) });
}

/** The table of slices fits a telephone and a desk, sorts, and keeps the name of a slice in sight while it is moved sideways. */
async function slices(page: Page, name: string): Promise<void> {
  for (const width of [390, 1_280]) {
    await page.setViewport({ width, height: 844 });
    const sideways = await page.evaluate('document.documentElement.scrollWidth');
    check(`${name}: the slices fit ${width} px`, sideways === width, sideways);
    const [moved, left] = await page.$eval('#slice-table', (table) => {
      const frame = table.closest('.scroll')!;
      frame.scrollLeft = 10_000;
      const cell = table.querySelector('tbody td')!;
      return [
        frame.scrollLeft,
        Math.round(cell.getBoundingClientRect().left - frame.getBoundingClientRect().left),
      ];
    });
    check(`${name}: the name of a slice stays at ${width} px`, left === 0, [moved, left]);
    check(
      `${name}: the table is ${width < 900 ? '' : 'not '}moved at ${width} px`,
      moved > 0 === width < 900,
      moved,
    );
    await obey(page, `${name} slices at ${width} px`);
    await (await page.$('#slices'))?.screenshot({ path: path.join(FOLDER, `${name}-slices-${width}.png`) });
  }
  const first = () => page.$eval('#slice-table tbody tr', (row) => row.textContent);
  const weakest = await first();
  await page.click('#slice-table thead th:nth-child(3) button');
  check(`${name}: the slices sort`, weakest !== (await first()), weakest);
}

/** A4 without its margins, in pixels of CSS. */
const PAPER_WIDTH = 718;

/** Paper cannot be scrolled, so nothing may be wider. */
async function print(page: Page, name: string): Promise<void> {
  await page.setViewport({ width: PAPER_WIDTH, height: 1_047 });
  await page.emulateMediaType('print');
  const wide = await page.$$eval(
    'table, svg, img',
    (elements, paper) =>
      elements
        .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect().right] as const)
        .filter(([, right]) => right > paper),
    PAPER_WIDTH,
  );
  check(`${name}: fits the paper`, wide.length === 0, wide);
  await page.screenshot({ path: path.join(FOLDER, `${name}-print.png`) });
}

/** Names of users, numbers of ten million records, and as many top-k figures as a pipeline may ask for. */
function extreme(report: Report): Report {
  const { quality, classes } = report;
  if (quality === null) throw new Error('the report has no figures');
  const all = 9_999_999;
  const accuracy = (all - 1) / all;
  return {
    ...report,
    classes: classes.map((each, at) => (at === 0 ? { ...each, name: 'n'.repeat(200) } : each)),
    gate: { ...report.gate, explanation: `The gate failed: site=${'s'.repeat(200)} is too low.` },
    slices: report.slices && {
      ...report.slices,
      weakest: report.slices.weakest.map((slice) => ({ ...slice, value: 's'.repeat(200) })),
    },
    quality: {
      ...quality,
      labeled: all,
      correct: all - 1,
      accuracy,
      topK: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((k) => ({ k, accuracy, interval: quality.accuracyInterval })),
    },
  };
}

/** Nothing lies outside the window, nor outside the image of the matrix. */
async function fit(page: Page, name: string, report: Report): Promise<void> {
  const outside = (selector: string, frame: string): Promise<string[]> =>
    page.$$eval(
      selector,
      (elements, within) =>
        elements
          .filter((element) => {
            const box = element.closest(within)!.getBoundingClientRect();
            const { left, right } = element.getBoundingClientRect();
            return left < box.left || right > box.right;
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      frame,
    );
  await page.setContent(reportHtml(report));
  for (const width of [390, 1_200]) {
    await page.setViewport({ width, height: 844 });
    const sideways = await page.evaluate('document.documentElement.scrollWidth');
    check(`${name}: ${width} px are enough`, sideways === width, sideways);
    const labels = await outside('.scale text', 'body');
    check(`${name}: labels lie on a screen of ${width} px`, labels.length === 0, labels);
  }
  for (const classes of [report.classes, syntheticReport(report.classes.length, 500).classes]) {
    await page.setContent(confusionMatrixSvg({ ...report, classes }).markup);
    const cut = await outside('svg text', 'svg');
    check(`${name}: no text of the image is cut off`, cut.length === 0, cut);
  }
}

/** A run without labels: its table of predictions sorts, and fits a phone and paper. */
async function withoutTruth(page: Page, name: string, classes: number): Promise<void> {
  const file = path.join(FOLDER, `without-truth-${classes}.html`);
  writeFileSync(file, reportHtml(unjudgedReport(classes, 3_000)));
  await page.setViewport({ width: 390, height: 844 });
  await look(page, name, file);
  const sideways = await page.evaluate('document.documentElement.scrollWidth');
  check(`${name}: 390 px are enough`, sideways === 390, sideways);
  const first = () => page.$eval('#predicted-table tbody td', (cell) => cell.textContent);
  const most = await first();
  await page.click('#predicted-table thead th:nth-child(2) button');
  const least = await first();
  check(`${name}: a heading sorts`, most !== least, [most, least]);
  await print(page, name);
}

mkdirSync(FOLDER, { recursive: true });
const browser = await launchChromium();
try {
  for (const size of SIZES) {
    const file = path.join(FOLDER, `${size}-classes.html`);
    writeFileSync(file, reportHtml(syntheticReport(size, 3_000)));
    for (const scheme of ['light', 'dark']) {
      const page = await browser.newPage();
      await page.setViewport({ width: 1200, height: 1500 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      const name = `${size}-${scheme}`;
      await look(page, name, file);
      await tryOut(page, name);
      if ((await page.$('#slices')) !== null) await slices(page, name);
      await print(page, name);
      await page.close();
    }
    const unlabeled = await browser.newPage();
    await withoutTruth(unlabeled, `${size}-without-truth`, size);
    await unlabeled.close();
    const page = await browser.newPage();
    await fit(page, `${size}-extreme`, extreme(syntheticReport(size, 500)));
    await page.close();
  }
} finally {
  await browser.close();
}
conclude();
