import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CodeCache } from './code-cache.ts';

/**
 * Runs the modules of a bundle, from its entry on, and returns what the entry exports. They are CommonJS files of one folder that name each other as
 * `./name`, so that nothing is searched for; all else comes from Node.
 */
export function loadBundle(folder: string, entry: string, code: CodeCache): unknown {
  const requireOther = createRequire(join(folder, entry));
  const modules = new Map<string, { readonly exports: unknown }>();
  return load(`./${entry}`);

  function requireModule(id: string): unknown {
    return id.startsWith('./') ? load(id) : requireOther(id);
  }

  function load(id: string): unknown {
    const known = modules.get(id);
    if (known) return known.exports;
    const module = { exports: {} };
    // Before it runs: modules may require each other.
    modules.set(id, module);
    const path = join(folder, id);
    const text = readFileSync(path, 'utf8');
    const run: unknown = code.compile(`(${wrapper}{${text}\n})`, path).runInThisContext();
    if (typeof run !== 'function') throw new Error(`"${path}" is not a module`);
    Reflect.apply(run, module.exports, [module.exports, requireModule, module, path, folder]);
    return module.exports;
  }
}

/** The variables that a CommonJS module has. */
const wrapper = 'function(exports,require,module,__filename,__dirname)';
