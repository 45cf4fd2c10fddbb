import { isNonLogFormat } from '../../records/index.ts';
import type { StoredPart } from '../file/parts.ts';

/** An entry whose logs are missing in the case, with the reason. */
export interface Loss {
  readonly entry: string;
  /** One sentence. */
  readonly message: string;
}

/**
 * Returns the losses among the parts of one file: entries that could not be read as logs, or a zip without any
 * log file. The intended contents of the latter are unknown, so it counts as lost.
 *
 * ```ts
 * const { parts } = await addFile(incident, 'logs.zip');
 * for (const { message } of lossesOf(parts)) console.warn(message);
 * ```
 */
export function lossesOf(parts: readonly StoredPart[]): readonly Loss[] {
  const lost = parts.flatMap(({ entry, problem }) =>
    problem
      ? [{ entry, message: `The entry "${shortenName(entry)}" was not loaded: ${problem.message}` }]
      : [],
  );
  if (0 < lost.length) return lost;
  const others = parts.filter((part) => !isZipOfParts(part));
  const [first] = others.filter(isNoLogFile);
  if (!first || !others.every(isNoLogFile)) return [];
  return [
    {
      entry: first.entry,
      message: `The zip contains no log file, only files like "${shortenName(first.entry)}"`,
    },
  ];
}

/** Reports if a part is recognised as something else than a log. */
export function isNoLogFile({ format, problem }: StoredPart): boolean {
  return problem === undefined && isNonLogFormat(format);
}

/** Reports if a part is a nested zip whose entries are parts. */
export function isZipOfParts({ format, problem }: StoredPart): boolean {
  return problem === undefined && format === 'zip';
}

/** Shortens an entry name for a message: names come from others and have any length. */
function shortenName(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 120)}…`;
}
