import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  compileRules,
  ownMapping,
  type RuleFile,
  type RuleMapping,
  RuleRefusal,
  type RuleSet,
  readMapping,
} from '../../analysis/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { listFiles } from '../command-line/glob.ts';

/** Name of the mapping in a folder of rules. */
const mappingName = 'mapping.yml';

/** Bytes of all files of rules together; a larger folder is no collection of rules. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads and compiles the rules of a folder or a file, by default those of the package. The mapping
 * is that of the option, else `mapping.yml` of the folder. Throws `UsageError` for files that
 * cannot be read, a folder without rules, and a mapping that is none.
 */
export async function readRules(path: string = ownRules(), mappingPath?: string): Promise<RuleSet> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there)
    throw new UsageError(
      `--rules must name a file or a folder with rules, got "${path}", which does not exist`,
    );
  const folder = there.isDirectory() ? path : dirname(path);
  const own = join(folder, mappingName);
  const mapping = mappingPath ?? (there.isDirectory() && existsSync(own) ? own : undefined);
  const paths = there.isDirectory() ? await ruleFiles(path) : [path];
  if (paths.length === 0)
    throw new UsageError(`The folder "${path}" holds no rules: files that end in .yml or .yaml`);
  return compileRules(
    readFiles(paths, folder),
    mapping === undefined ? ownMapping : readMappingFile(mapping),
  );
}

async function ruleFiles(folder: string): Promise<readonly string[]> {
  const found = await Promise.all(['.yml', '.yaml'].map((suffix) => listFiles(folder, suffix)));
  return found
    .flat()
    .filter((path) => basename(path) !== mappingName)
    .sort();
}

function readFiles(paths: readonly string[], folder: string): readonly RuleFile[] {
  const bytes = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (maxBytes < bytes) throw new UsageError(`The rules have ${bytes} bytes, at most ${maxBytes} are read`);
  return paths.map((path) => ({ name: relative(folder, path), text: readText(path) }));
}

function readMappingFile(path: string): RuleMapping {
  try {
    return readMapping(readText(path));
  } catch (error) {
    if (!(error instanceof RuleRefusal)) throw error;
    throw new UsageError(`The mapping "${path}" cannot be used: ${error.message}`, { cause: error });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

/** The folder of the package with its own rules, beside `dist` and `src`. */
function ownRules(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const rules = join(folder, 'rules');
    if (existsSync(join(folder, 'CHANGELOG.md')) && existsSync(join(rules, mappingName))) return rules;
  }
  throw new UsageError('The rules of the package are missing: name some with --rules');
}
