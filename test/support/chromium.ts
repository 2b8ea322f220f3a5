import { accessSync } from 'node:fs';
import puppeteer, { type Browser } from 'puppeteer-core';

const BROWSERS = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The system's Chromium, headless. @throws {Error} where there is none */
export function launchChromium(extra: readonly string[] = []): Promise<Browser> {
  return puppeteer.launch({
    executablePath: findBrowser(),
    // Its own 30 s are few where other suites take the cores.
    timeout: 300_000,
    // A wait is one call of the protocol, whose own 180 s would end it before the page's patience does.
    protocolTimeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...extra,
    ],
  });
}

function findBrowser(): string {
  for (const candidate of BROWSERS) {
    if (candidate === undefined) continue;
    try {
      accessSync(candidate);
      return candidate;
    } catch {
      continue;
    }
  }
  throw new Error('No Chromium found: install Debian’s package chromium, or set CHROMIUM to its path');
}
