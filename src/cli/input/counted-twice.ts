import { type Case, filesWithLogs } from '../../store/index.ts';
import { printableName } from '../terminal/printable.ts';
import { grouped } from '../terminal/progress.ts';

/** What has to be said of sources that have files in common: their logs are found in each. */
export async function countedTwice(cases: readonly Case[], names: readonly string[]): Promise<string[]> {
  if (cases.length < 2) return [];
  const files = await Promise.all(cases.map(filesWithLogs));
  return files.flatMap((ofCase, index) =>
    files.slice(0, index).flatMap((earlier, at) => {
      const common = [...ofCase].filter(([sha256]) => earlier.has(sha256)).map(([, name]) => name);
      const of = cases[index]?.originals === 'in place' ? '' : ` of "${printableName(names[index] ?? '')}"`;
      return sentence(common, of, `"${printableName(names[at] ?? '')}"`);
    }),
  );
}

function sentence([first, ...others]: readonly string[], of: string, earlier: string): string[] {
  if (first === undefined) return [];
  const example = `"${printableName(first)}"`;
  if (others.length === 0) return [`${example}${of} is also in ${earlier}: its logs count twice.`];
  const count = grouped(others.length + 1);
  return [`${count} files${of}, for instance ${example}, are also in ${earlier}: their logs count twice.`];
}
