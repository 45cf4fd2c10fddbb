import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package with the engine, which is too large for everybody's `npm ci`. */
const engine = { name: '@chdb/lib-linux-x64-gnu', version: '26.7.3-stable.1' };

/** A lock file with the hash of the package: npm refuses another content. */
const lock = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { [engine.name]: engine.version } },
    [`node_modules/${engine.name}`]: {
      version: engine.version,
      integrity:
        'sha512-XP97mMqnc5tZpKQywR8N7cLTsHNiTmHr30pC5mzo3jWmukjKn2IBa60c2B/gWUNcuFjOMjWoorQICCqBVj5wpw==',
    },
  },
};

/** Programs that run a server: the launcher, and the engine as a library. */
export interface ServerProgram {
  readonly launcher: string;
  readonly library: string;
}

/**
 * Returns the programs of a server. The first call installs the engine into the user's cache, 540 MB: it is shared by
 * all checkouts, and `npm ci` leaves it there.
 */
export function installServer(): ServerProgram {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `The tests of the cluster need Linux on x64, this is ${process.platform} on ${process.arch}`,
    );
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'logquarry');
  mkdirSync(cache, { recursive: true });
  return { launcher: compiledLauncher(cache), library: installedLibrary(cache) };
}

/** Installs the engine once before all tests: Vitest calls it. */
export function setup(): void {
  installServer();
}

function compiledLauncher(cache: string): string {
  const source = fileURLToPath(new URL('launcher.c', import.meta.url));
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12);
  const compile = (folder: string) => {
    try {
      execFileSync('cc', ['-o', join(folder, 'launcher'), source, '-ldl']);
    } catch (error) {
      throw new Error('The tests of the cluster need a C compiler named "cc": install gcc', { cause: error });
    }
  };
  return join(madeOnce(cache, `launcher-${hash}`, compile), 'launcher');
}

function installedLibrary(cache: string): string {
  const install = (folder: string) => {
    const dependencies = { [engine.name]: engine.version };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', npm, { cwd: folder, stdio: 'inherit' });
  };
  const folder = madeOnce(cache, `clickhouse-${engine.version}`, install);
  return join(folder, 'node_modules', engine.name, 'libchdb.so');
}

/** Returns a folder of the cache, which is made whole or not at all, also by processes side by side. */
function madeOnce(cache: string, name: string, make: (folder: string) => void): string {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    make(unfinished);
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } catch (error) {
    // Another process was first.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
