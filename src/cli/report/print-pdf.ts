import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { UsageError } from '../command-line/exit-code.ts';
import { temporaryFolder } from '../command-line/write-output.ts';
import { escapeUnsafe } from '../terminal/text.ts';

/** Names of Chromium and of the browsers made of it. */
const names = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
  ...['chrome.exe', 'msedge.exe'],
];

/** Where installers put it that change no PATH. */
const usualPaths = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const windowsPaths = [
  'Google/Chrome/Application/chrome.exe',
  'Chromium/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
];

/**
 * The path of a Chromium: the named program, else the first on the PATH or at a usual place. Throws a `UsageError` if
 * there is none.
 */
export function findChromium(
  named: string | undefined,
  environment: { readonly [name: string]: string | undefined },
): string {
  if (named !== undefined) {
    if (isProgram(named)) return named;
    throw new UsageError(`--chromium must be a program, got "${escapeUnsafe(named)}"`);
  }
  const { PATH: folders = environment.Path ?? '', PROGRAMFILES, LOCALAPPDATA } = environment;
  const onPath = folders
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const programFolders = [PROGRAMFILES, environment['PROGRAMFILES(X86)'], LOCALAPPDATA];
  const onWindows = programFolders.flatMap((folder) =>
    folder === undefined ? [] : windowsPaths.map((path) => join(folder, path)),
  );
  const found = [...onPath, ...usualPaths, ...onWindows].find(isProgram);
  if (found !== undefined) return found;
  throw new UsageError(
    'A PDF requires Chromium or Chrome, and none is on the PATH: name one with --chromium, or write a page (--to html) and print it in a browser',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What is printed is one file, which needs no network. */
const quiet = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--no-pdf-header-footer',
];

/** Chromium refuses to run as root with its sandbox. */
const ofRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** A Chromium that prints nothing for so long hangs: milliseconds. */
const timeout = 120_000;

const run = promisify(execFile);

/**
 * Prints a page with a Chromium, in a profile of its own that is removed. Rejects with a `UsageError` if it fails, or
 * with the reason of the signal.
 */
export async function printPdf(
  page: string,
  { program, signal }: { readonly program: string; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  await using folder = await temporaryFolder();
  const [source, target] = [join(folder.path, 'report.html'), join(folder.path, 'report.pdf')];
  await writeFile(source, page, { mode: 0o600 });
  const profile = `--user-data-dir=${join(folder.path, 'profile')}`;
  const args = [...quiet, ...ofRoot, profile, `--print-to-pdf=${target}`, pathToFileURL(source).href];
  const stderr = await run(program, args, { signal, timeout, killSignal: 'SIGKILL' }).then(
    (ran) => ran.stderr,
    (error: Error & { readonly stderr?: string }) => error.stderr ?? error.message,
  );
  signal.throwIfAborted();
  const pdf = await readFile(target).catch(() => undefined);
  if (pdf?.subarray(0, 5).toString('latin1') === '%PDF-') return pdf;
  const reason = escapeUnsafe(stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '');
  throw new UsageError(
    `"${escapeUnsafe(program)}" printed no PDF${reason === '' ? '' : `: ${reason}`}. A page (--to html) can be printed in a browser`,
  );
}
