import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const folders = ['/usr/bin', '/usr/local/bin', '/snap/bin', ...(process.env.PATH ?? '').split(delimiter)];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap(
    (folder) =>
      folder === undefined
        ? []
        : [
            join(folder, 'Google/Chrome/Application/chrome.exe'),
            join(folder, 'Chromium/Application/chrome.exe'),
            join(folder, 'Microsoft/Edge/Application/msedge.exe'),
          ],
  ),
];

/** The path of a Chromium: that of the environment variable `CHROMIUM`, else one at a usual place; undefined where there is none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const programs = folders
    .filter((each) => each !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...programs, ...applications].find((path) => existsSync(path));
}

/** Calls nobody but the pages under test. A sandbox needs rights that containers lack. */
const options = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a Chromium without a window, or gives the reason why none can be started on this machine. With
 * `REQUIRE_CHROMIUM` in the environment, as in the checks of a change, a missing one is an error.
 */
export async function openChromium(): Promise<Browser | { readonly missing: string }> {
  const executablePath = findChromium();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: options });
  const missing = 'there is no Chromium; the environment variable "CHROMIUM" can hold its path';
  if (process.env.REQUIRE_CHROMIUM) throw new Error(`The tests in a browser are required, but ${missing}`);
  return { missing };
}

/**
 * A context of a browser, whose pages wait as long as a test may take for what they wait for: a busy machine
 * takes its time, and what never comes ends with the test.
 */
export async function openContext(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(600_000);
  return context;
}
