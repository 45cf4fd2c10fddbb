import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Compiles scripts, with the code that an earlier process compiled of the same text. */
export interface CodeCache {
  readonly compile: (text: string, filename: string) => Script;
  /** Stores the code of all scripts, unless it was all there. Never throws: the next process then compiles as well. */
  readonly save: () => void;
}

/** Opens the code cache in a file; undefined for a cache that stores nothing. */
export function openCodeCache(path: string | undefined): CodeCache {
  const stored = path === undefined ? undefined : readCode(path);
  const scripts = new Map<string, Script>();
  let isStale = false;
  return {
    compile(text, filename) {
      const key = `${filename} ${text.length} ${crc32(text)}`;
      const cachedData = stored?.get(key);
      const script = new Script(text, { filename, ...(cachedData && { cachedData }) });
      scripts.set(key, script);
      isStale ||= script.cachedDataRejected !== false;
      return script;
    },
    save: () => {
      if (path !== undefined && isStale) writeCode(path, scripts);
    },
  };
}

/** Bytes of the checksum that a file begins with. */
const checksumBytes = 4;

/**
 * Reads the code that a file has; undefined if it is missing, damaged, or of another user, whose code must not run in
 * this process.
 */
function readCode(path: string): ReadonlyMap<string, Buffer> | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      if (fstatSync(file).uid !== (process.getuid?.() ?? 0)) return undefined;
      const bytes = readFileSync(file);
      const content = bytes.subarray(checksumBytes);
      return bytes.readUInt32LE() === crc32(content) ? toCode(deserialize(content)) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function toCode(stored: unknown): ReadonlyMap<string, Buffer> | undefined {
  if (!(stored instanceof Map)) return undefined;
  return new Map([...stored].filter(([, code]) => Buffer.isBuffer(code)));
}

function writeCode(path: string, scripts: ReadonlyMap<string, Script>): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Making the data takes longer than this question.
    accessSync(dirname(path), constants.W_OK);
    const content = serialize(new Map([...scripts].map(([key, script]) => [key, script.createCachedData()])));
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(crc32(content));
    writeFileSync(temporary, Buffer.concat([checksum, content]), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    removeFile(temporary);
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is a file, or may not be written.
  }
}

/**
 * Returns the file with the code that a command needs: `%LOCALAPPDATA%` on Windows, else by the XDG Base Directory
 * Specification. Undefined if there is no such folder, or `NODE_DISABLE_COMPILE_CACHE` asks for none.
 */
export function codeCachePath(
  [command = '']: readonly string[],
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if (environment.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = cacheFolder(environment);
  if (folder === undefined) return undefined;
  const name = /^[a-z]+$/.test(command) ? command : 'other';
  return join(folder, 'logquarry', `${name}-${process.version}-${process.arch}`);
}

function cacheFolder({ LOCALAPPDATA, XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  return HOME ? join(HOME, '.cache') : undefined;
}
