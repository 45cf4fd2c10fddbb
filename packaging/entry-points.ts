import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** A module that a program can import. */
export interface EntryPoint {
  /** Such as `logquarry/language`. */
  readonly module: string;
  /** The file of its declarations, such as `dist/language.d.ts`. */
  readonly types: string;
  /** The source that it is built from, such as `src/language.ts`. */
  readonly source: string;
}

const manifest = v.object({
  name: v.string(),
  exports: v.record(v.string(), v.union([v.string(), v.object({ types: v.string() })])),
});

/** The entry points that `package.json` lists. */
export function readEntryPoints(): readonly EntryPoint[] {
  const { name, exports } = v.parse(manifest, JSON.parse(readFileSync('package.json', 'utf8')));
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const types = target.types.replace('./', '');
    const source = types.replace('dist/', 'src/').replace(/\.d\.ts$/, '.ts');
    return [{ module: path.replace('.', name), types, source }];
  });
}
