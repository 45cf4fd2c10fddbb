import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as v from 'valibot';

/** The parts of the server in Maven Central, as `mvn dependency:copy-dependencies` of `org.opensearch:opensearch` finds them. */
const jars = v.parse(
  v.array(v.object({ path: v.string(), sha256: v.string() })),
  JSON.parse(readFileSync(new URL('jars.json', import.meta.url), 'utf8')),
);

const central = 'https://repo1.maven.org/maven2';

/** The parts of the server cannot be fetched from here. */
export class Unreachable extends Error {}

/**
 * Returns the class path of the server. The first call fetches 30 MB into the user's cache, which all checkouts share; a
 * file with another content than the listed one is refused. Rejects with `Unreachable` without Maven Central.
 */
export async function installServer(): Promise<string> {
  const cache = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'logquarry',
    'opensearch-1.3.20',
  );
  mkdirSync(cache, { recursive: true });
  for (const { path, sha256 } of jars) {
    const file = join(cache, basename(path));
    if (existsSync(file)) continue;
    const response = await fetch(`${central}/${path}`).catch((cause: unknown) => {
      throw new Unreachable('Maven Central cannot be reached', { cause });
    });
    if (!response.ok) throw new Unreachable(`Maven Central answers ${response.status} for ${basename(path)}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(`${basename(path)} is not the file that is listed`);
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, file);
  }
  return join(cache, '*');
}
