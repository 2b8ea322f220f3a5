// `node lab/pictures/write-report-picture.ts .inferdrop/reports/fashion-mnist/example/000001/report.html`: the first screen of the report
// page that `npm start` saves, for README.md, with the system's Chromium.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchChromium } from '../../test/support/chromium.ts';

const PICTURE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'pictures', 'report.png');
const [report] = process.argv.slice(2);
if (report === undefined)
  throw new Error('name a report.html: npm start -- --once saves one below .inferdrop/reports');

const browser = await launchChromium(['--force-color-profile=srgb']);
try {
  const page = await browser.newPage();
  // As far as the end of the confusion matrix of ten classes; smaller, so that the picture has less than 80 kB.
  await page.setViewport({ width: 1100, height: 1300, deviceScaleFactor: 0.55 });
  await page.goto(pathToFileURL(path.resolve(report)).href);
  await page.screenshot({ path: PICTURE });
} finally {
  await browser.close();
}
