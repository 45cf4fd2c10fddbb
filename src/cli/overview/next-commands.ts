import type { LevelOverTime, Overview, Peak, RankedCode } from '../../analysis/index.ts';
import { quoteForShell, shellWord } from '../output/shell-word.ts';

/** A suggested command line, quoted for a shell, and its purpose. */
export interface NextCommand {
  readonly run: string;
  readonly about: string;
}

/** Number of suggested commands. */
const suggested = 3;

/** Sources of the commands: paths as they were given. */
interface NextSources {
  readonly paths: readonly string[];
  /** True for a single stored case, for commands that read no log files. */
  readonly isCase: boolean;
}

/** Returns the most useful commands after an overview; none if there is no log. */
export function nextCommands(about: Overview, sources: NextSources): readonly NextCommand[] {
  if (about.logs === 0) return [];
  const paths = sources.paths.map(shellWord).join(' ');
  const candidates = [
    severeSearch(about, paths),
    sources.isCase &&
      0 < about.gaps.length && { run: `logquarry coverage ${paths}`, about: 'what is missing' },
    peakHistogram(about, paths),
    sources.isCase && 0 < about.unreadable && unreadableRecords(paths),
    traceOfFirst(about, paths),
    worstLevelSearch(about, paths),
    { run: `logquarry top logCode ${paths}`, about: 'the most frequent codes' },
    { run: `logquarry top source ${paths}`, about: 'the most frequent sources' },
    { run: `logquarry search '*:*' ${paths}`, about: 'the newest logs' },
  ];
  return candidates.filter((each) => each !== undefined && each !== false).slice(0, suggested);
}

/** Codes that are safe in a query without quotes. */
function isPlainCode({ value, severe }: RankedCode): boolean {
  return 0 < severe && /^\d+$/.test(String(value));
}

function severeSearch({ codes, levels }: Overview, paths: string): NextCommand | undefined {
  const code = codes.values.find(isPlainCode);
  if (code)
    return {
      run: `logquarry search 'logLevel:SEVERE AND logCode:${code.value}' ${paths} --oldest`,
      about: 'the most frequent severe code',
    };
  if (!levels.some(({ level }) => level === 'SEVERE')) return undefined;
  return { run: `logquarry search 'logLevel:SEVERE' ${paths} --oldest`, about: 'the severe logs' };
}

/** The worst level that a query can name without quotes. */
function worstLevel({ levels }: Overview): LevelOverTime | undefined {
  return levels.find(({ level }) => /^[A-Z]+$/.test(String(level ?? '')));
}

function peakHistogram(about: Overview, paths: string): NextCommand | undefined {
  const worst = worstLevel(about);
  const peak = worst?.peak ?? about.peak;
  // Shorter buckets than this show nothing new.
  if (!peak || about.every < 1000) return undefined;
  const query = quoteForShell(timeQuery(peak, about.every));
  return {
    run: `logquarry histogram ${paths} --search ${query} --by logLevel`,
    about: worst?.peak ? `the peak of ${worst.level}, in detail` : 'the peak in detail',
  };
}

function timeQuery({ start }: Peak, every: number): string {
  const text = (time: number) => new Date(time).toISOString();
  return `time:["${text(start)}" TO "${text(start + every - 1)}"]`;
}

function unreadableRecords(paths: string): NextCommand {
  return {
    run: `logquarry sql 'SELECT entry, position, reason FROM unreadable' ${paths}`,
    about: 'the records that could not be read',
  };
}

function traceOfFirst({ codes }: Overview, paths: string): NextCommand | undefined {
  // Ids come from the logs: only plain ones go into a command.
  const request = codes.values.find((each) => /^\w[\w-]{0,63}$/.test(each.request ?? ''))?.request;
  if (request === undefined) return undefined;
  return { run: `logquarry trace ${request} ${paths}`, about: 'a request with a severe log' };
}

function worstLevelSearch(about: Overview, paths: string): NextCommand | undefined {
  const worst = worstLevel(about);
  if (!worst || worst.level === 'SEVERE') return undefined;
  return {
    run: `logquarry search logLevel:${worst.level} ${paths}`,
    about: `the newest logs of level ${worst.level}`,
  };
}
