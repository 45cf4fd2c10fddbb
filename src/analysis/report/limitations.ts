import type { CaseSummary, Loss } from '../../case/index.ts';
import type { CoverageGap } from '../overview/coverage-gaps.ts';

/** Something that the data cannot say. */
export interface Limitation {
  readonly code: LimitationCode;
  /** One or two sentences. */
  readonly text: string;
}

/** Codes of limitations; stable. */
export type LimitationCode =
  | 'audit-trail'
  | 'capped'
  | 'elapsed'
  | 'gaps'
  | 'level'
  | 'loss'
  | 'not-exported'
  | 'redacted'
  | 'timeless'
  | 'unreadable'
  | 'zone';

/** Facts that limitations follow from. */
export interface LimitationFacts {
  readonly summary: CaseSummary;
  /** Known levels that the selected logs have, the most severe first. */
  readonly levels: readonly string[];
  readonly timeless: number;
  /** Logs with an elapsed time. */
  readonly measured: number;
  readonly gaps: readonly CoverageGap[];
  /** True if an export requested intervals. */
  readonly isExported: boolean;
  readonly losses: readonly Loss[];
  readonly isRedacted: boolean;
}

/** Returns what logs with these facts cannot say, the most important first. */
export function limitationsOf(facts: LimitationFacts): readonly Limitation[] {
  return [
    ...coverageLimitations(facts),
    ...levelLimitations(facts),
    ...contentLimitations(facts),
    {
      code: 'audit-trail',
      text: 'The audit trail of administrators is a separate stream of the deployment and not part of its logs. Who changed a setting is known here only where a log says so.',
    },
  ];
}

function coverageLimitations({ gaps, isExported }: LimitationFacts): readonly Limitation[] {
  if (!isExported)
    return [
      {
        code: 'not-exported',
        text: 'The files were imported, not exported by windows. The case cannot prove that they are complete: no log at a time does not mean that nothing happened.',
      },
    ];
  const capped = gaps.filter(({ state }) => state === 'capped').length;
  const missing = gaps.length - capped;
  return [
    ...(0 < missing
      ? [
          {
            code: 'gaps',
            text: `${missing} ${missing === 1 ? 'interval was' : 'intervals were'} never requested or not received. No log there proves nothing.`,
          } as const,
        ]
      : []),
    ...(0 < capped
      ? [
          {
            code: 'capped',
            text: `In ${capped} ${capped === 1 ? 'interval' : 'intervals'} the deployment returned fewer logs than it had. The others cannot be had any more.`,
          } as const,
        ]
      : []),
  ];
}

const detailed: ReadonlySet<string> = new Set(['FINE', 'VERBOSE', 'DEBUG']);

function levelLimitations({ levels, measured }: LimitationFacts): readonly Limitation[] {
  const lowest = levels.at(-1);
  const isCoarse = lowest !== undefined && !detailed.has(lowest);
  return [
    ...(isCoarse
      ? [
          {
            code: 'level',
            text: `The most detailed level is ${lowest}. Anything that the deployment logs at a more detailed level is not here, such as single requests.`,
          } as const,
        ]
      : []),
    ...(measured === 0
      ? [
          {
            code: 'elapsed',
            text: 'No log has an elapsed time at this level. Nothing can be said about the duration of requests; that requires level FINE.',
          } as const,
        ]
      : []),
  ];
}

function contentLimitations({
  summary: { parts, unreadable },
  timeless,
  losses,
  isRedacted,
}: LimitationFacts): readonly Limitation[] {
  const zones = [...new Set(parts.flatMap(({ zone }) => (zone === undefined ? [] : [zone])))];
  const all: readonly (Limitation | false)[] = [
    isRedacted && {
      code: 'redacted',
      text: 'The case is a redacted copy: users, addresses and hosts are pseudonyms. The original case and its files are elsewhere.',
    },
    0 < zones.length && {
      code: 'zone',
      text: `Times without a zone, if any, were read as times of ${zones.join(', ')}. If the servers had another zone, these times are shifted.`,
    },
    0 < timeless && { code: 'timeless', text: `${timeless} logs have no time and are in no chart.` },
    0 < unreadable && {
      code: 'unreadable',
      text: `${unreadable} records could not be read as logs. They are stored, but not counted here.`,
    },
    0 < losses.length && {
      code: 'loss',
      text: `${losses.length} ${losses.length === 1 ? 'entry' : 'entries'} of files could not be loaded: ${losses
        .slice(0, 3)
        .map(({ message }) => message)
        .join('; ')}.`,
    },
  ];
  return all.filter((each) => each !== false);
}
