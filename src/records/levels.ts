/** Levels of the deployment's logs, the most severe first. */
export const ownLevels = ['SEVERE', 'WARNING', 'INFO', 'FINE', 'VERBOSE', 'DEBUG'] as const;

type OwnLevel = (typeof ownLevels)[number];

/**
 * Levels of other systems by name, for each level of the deployment. Case and the abbreviations of
 * one to four letters of loggers are read alike. `INFO1` to `INFO3` are of the oldest classic log files. Sources: syslog (RFC 5424, 6.2.1), java.util.logging,
 * Log4j 2, Python's logging, .NET's LogLevel, Serilog, PostgreSQL, Google Cloud's LogSeverity, events of Kubernetes,
 * and java.util.logging and the event log of Windows in German, French and Spanish.
 */
export const levelNames: { readonly [L in OwnLevel]: readonly string[] } = {
  SEVERE: [
    ...['SEVERE', 'ERROR', 'ERR', 'FATAL', 'CRITICAL', 'CRIT', 'ALERT', 'EMERGENCY', 'EMERG', 'PANIC'],
    ...['DPANIC', 'FAIL', 'FAILURE', 'FTL', 'CRT', 'EXCEPTION', 'E', 'F', 'C'],
    ...['FEHLER', 'SCHWERWIEGEND', 'KRITISCH', 'ERREUR', 'GRAVE', 'CRITIQUE', 'CRÍTICO'],
  ],
  WARNING: ['WARNING', 'WARN', 'WRN', 'W', 'WARNUNG', 'AVERTISSEMENT', 'ADVERTENCIA', 'AVISO'],
  INFO: [
    'INFO',
    'INFORMATION',
    'INFORMATIONAL',
    'INF',
    'NOTICE',
    'NOTE',
    'LOG',
    'HINT',
    'SUCCESS',
    'NORMAL',
    'INFO1',
    ...['INFORMATIONEN', 'HINWEIS', 'INFOS', 'INFORMACIÓN'],
    'I',
    'N',
  ],
  FINE: ['FINE', 'CONFIG', 'INFO2', 'FEIN', 'KONFIGURATION'],
  VERBOSE: ['VERBOSE', 'VRB', 'TRACE', 'TRC', 'FINER', 'INFO3', 'V', 'T'],
  DEBUG: ['DEBUG', 'DBG', 'FINEST', 'DEBUG1', 'DEBUG2', 'DEBUG3', 'DEBUG4', 'DEBUG5', 'D'],
};

/** Numbers of other systems for levels: the greatest number that a level has, in each scale. */
interface Scale {
  /** The systems that count so. */
  readonly of: string;
  readonly isOne: (number: number) => boolean;
  readonly levels: readonly (readonly [number, OwnLevel])[];
}

/** Scales of numbers, none of which shares a number with another. */
export const levelScales: readonly Scale[] = [
  {
    of: 'syslog, journald, GELF (0 to 7)',
    isOne: (number) => 0 <= number && number <= 7,
    levels: [
      [3, 'SEVERE'],
      [4, 'WARNING'],
      [6, 'INFO'],
      [7, 'DEBUG'],
    ],
  },
  {
    of: 'pino and Bunyan (10 to 60)',
    isOne: (number) => 10 <= number && number <= 60 && number % 10 === 0,
    levels: [
      [10, 'VERBOSE'],
      [20, 'DEBUG'],
      [30, 'INFO'],
      [40, 'WARNING'],
      [60, 'SEVERE'],
    ],
  },
  {
    of: 'Logback (5000 to 40000)',
    isOne: (number) => [5_000, 10_000, 20_000, 30_000, 40_000].includes(number),
    levels: [
      [5_000, 'VERBOSE'],
      [10_000, 'DEBUG'],
      [20_000, 'INFO'],
      [30_000, 'WARNING'],
      [40_000, 'SEVERE'],
    ],
  },
];

const byName: ReadonlyMap<string, OwnLevel> = new Map(
  ownLevels.flatMap((level) => levelNames[level].map((name): [string, OwnLevel] => [name, level])),
);

/**
 * Returns the level of the deployment that a value of another system stands for, by the tables above;
 * undefined if it is unknown. Surrounding white space, brackets and a colon do not count.
 */
export function readLevel(value: unknown): OwnLevel | undefined {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string') return undefined;
  const known = byName.get(value);
  if (known !== undefined) return known;
  const name = value.trim().replace(/^[[(<]|[\])>:]+$/g, '');
  return /^\d{1,5}$/.test(name) ? ofNumber(Number(name)) : byName.get(name.toUpperCase());
}

function ofNumber(number: number): OwnLevel | undefined {
  const scale = levelScales.find(({ isOne }) => isOne(number));
  return scale?.levels.find(([highest]) => number <= highest)?.[1];
}
