import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
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

/** Installs the engine beside the project, once, and compiles its launcher. */
export function installServer(): ServerProgram {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/cluster-server/', import.meta.url));
  const library = join(folder, 'node_modules', engine.name, 'libchdb.so');
  const launcher = join(folder, 'launcher');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(library)) {
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: { [engine.name]: engine.version } }),
    );
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
    });
  }
  execFileSync('cc', ['-o', launcher, fileURLToPath(new URL('launcher.c', import.meta.url)), '-ldl']);
  return { launcher, library };
}
