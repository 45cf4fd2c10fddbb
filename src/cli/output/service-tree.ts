import type { ServiceDescription } from '../../protocol/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';

/** Formats services as a tree, folders first; each line ends with a line feed. */
export function serviceTree(services: readonly ServiceDescription[]): string {
  const root = newFolder();
  for (const { name, type } of services) {
    const steps = name.split('/');
    const folder = steps.slice(0, -1).reduce(folderIn, root);
    folder.services.push(`${steps.at(-1)} (${type})`);
  }
  return `.\n${linesOf(root, '').join('')}`;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly services: string[];
}

function newFolder(): Folder {
  return { folders: new Map(), services: [] };
}

function folderIn({ folders }: Folder, name: string): Folder {
  const found = folders.get(name) ?? newFolder();
  folders.set(name, found);
  return found;
}

function linesOf({ folders, services }: Folder, before: string): string[] {
  const names = [...folders.keys()].toSorted();
  const items = [...names, ...services.toSorted()];
  return items.flatMap((item, at) => {
    const isLast = at === items.length - 1;
    const inside = at < names.length ? folders.get(item) : undefined;
    const line = `${before}${isLast ? '└── ' : '├── '}${escapeUnsafe(item)}${inside ? '/' : ''}\n`;
    return [line, ...(inside ? linesOf(inside, before + (isLast ? '    ' : '│   ')) : [])];
  });
}
