import * as v from 'valibot';
import type { StoredExport } from '../../case/index.ts';
import { addObserved, type ObservedBehaviour, readObserved } from './observed-behaviour.ts';
import { acceptedChance, hollowShare, unseenChance } from './sample.ts';

/** What an export cannot prove. The manual explains the codes. */
export const doubtCodes = {
  AT_RANDOM: 'Replies may leave out other logs each time',
  SAMPLED: 'Only a sample was requested again',
  NOT_SAMPLED: 'Nothing was requested again',
  UNSORTED: 'Only the sizes of replies show that they are whole',
  LATE: 'Logs arrived after their time',
} as const;

type DoubtCode = keyof typeof doubtCodes;

const doubt = v.object({
  code: v.custom<DoubtCode>((code) => typeof code === 'string' && Object.hasOwn(doubtCodes, code)),
  message: v.string(),
});

/** Something that nothing proves about an export. The codes are stable, the message is one sentence. */
export type ExportDoubt = Readonly<v.InferOutput<typeof doubt>>;

const doubts = v.pipe(v.string(), v.parseJson(), v.array(doubt));

/** Adds the doubts with which an export ended. */
export function addDoubts(stored: StoredExport, some: readonly ExportDoubt[]): StoredExport {
  return addObserved(stored, { doubts: JSON.stringify(some) });
}

/** Reads the doubts with which an export ended; none of one that has not. */
export function readDoubts(stored: StoredExport): readonly ExportDoubt[] {
  const { success, output } = v.safeParse(doubts, readObserved(stored).doubts);
  return success ? output : [];
}

/** What was requested again. */
interface Sample {
  readonly sampled: number;
  readonly ends: number;
  readonly share: number;
  readonly chance: number;
  /** Windows without logs that were requested again, and all of them. */
  readonly hollow: number;
  readonly empty: number;
  /** Number of logs that were requested again at ends. */
  readonly again: number;
  /** True if logs that are lacking in a second reply show, not only those that are new. */
  readonly isComparable: boolean;
  readonly byLevel: number;
  readonly late: number;
  readonly trouble?: string;
}

/** Lists what nothing proves of an export, as far as it depends on what happened. `logs` came, all of them `twice`. */
export function doubtsAbout({
  observed,
  sample,
  logs,
  twice,
}: {
  readonly observed: ObservedBehaviour;
  readonly sample: Sample | undefined;
  readonly logs: number;
  readonly twice: boolean;
}): readonly ExportDoubt[] {
  const some: ExportDoubt[] = [...(twice ? twiceDoubts(logs) : onceDoubts(logs, sample))];
  if (sample?.trouble !== undefined) {
    const message = `No sample of the logs could be requested again: ${sample.trouble}`;
    some.push({ code: 'NOT_SAMPLED', message });
  } else if (sample && sample.sampled < sample.ends) {
    const part = Math.round(1 / sample.share);
    const byLevel = sample.byLevel === 0 ? '' : `, and ${sample.byLevel} logs by level`;
    const message =
      `${sample.sampled} of ${sample.ends} ends of windows were requested again${byLevel}, and nothing was missing; ` +
      `if one in ${part} lacked logs, that would be missed with a chance of ${percent(sample.chance)} %`;
    some.push({ code: 'SAMPLED', message });
  }
  if (sample && sample.hollow < sample.empty) some.push(hollowDoubt(sample));
  if (observed.order === 'untrusted') {
    const message = 'The deployment does not sort, so the sizes of replies alone show that each is whole';
    some.push({ code: 'UNSORTED', message });
  }
  if (sample && 0 < sample.late) {
    const seconds = Math.ceil(sample.late / 1000);
    some.push({ code: 'LATE', message: `Logs arrive up to ${seconds} s after their time` });
  }
  return some;
}

function hollowDoubt({ hollow, empty }: Sample): ExportDoubt {
  const chance = unseenChance({ ends: empty, lossy: Math.ceil(empty * hollowShare), sampled: hollow });
  const message =
    `${hollow} of ${empty} windows without logs were requested again, and none had any; ` +
    `if one in ${Math.round(1 / hollowShare)} had, that would be missed with a chance of ${percent(chance)} %`;
  return { code: 'SAMPLED', message };
}

function percent(chance: number): number {
  return Math.max(0.1, Math.round(chance * 1000) / 10);
}

const help = '--twice requests all twice';

/** The doubt of an export that requested nothing again. */
export const neverTwice: ExportDoubt = {
  code: 'AT_RANDOM',
  message: 'No log was requested twice, so random losses go unseen',
};

function onceDoubts(logs: number, sample: Sample | undefined): readonly ExportDoubt[] {
  if (!sample || sample.again === 0) return [{ ...neverTwice, message: `${neverTwice.message} (${help})` }];
  const { again, isComparable } = sample;
  const oneIn = shownLoss(again, isComparable);
  const shows =
    oneIn === undefined
      ? 'too few to show random losses'
      : `which shows random losses of one log in ${oneIn} or more with a chance of 95 %; rarer ones may go unseen`;
  const message = `${again} of ${Math.max(logs, again)} logs were requested twice, ${shows} (${help})`;
  return [{ code: 'AT_RANDOM', message }];
}

/**
 * The rarest loss that shows with a chance of 95 %, as one log in so many; undefined if none does. Each of two
 * replies leaves out a share of the logs, each log by chance. A log shows that if only one of both has it, or only
 * the later one where those that it lacks are not looked at.
 */
export function shownLoss(again: number, isComparable: boolean): number | undefined {
  // share * (1 - share) is the chance that the later reply alone has a log.
  const product = (1 - acceptedChance ** (1 / again)) / (isComparable ? 2 : 1);
  if (1 / 4 < product) return undefined;
  return Math.floor(2 / (1 - Math.sqrt(1 - 4 * product)));
}

/** The chance that is not worth a sentence. */
const negligible = 0.001;

function twiceDoubts(logs: number): readonly ExportDoubt[] {
  const chance = twiceChance(logs);
  if (chance < negligible) return [];
  const message =
    logs === 0
      ? 'Nothing came twice, so what all replies leave out goes unseen'
      : `All ${logs} logs were requested twice; that replies leave out other logs at random, and both the same one, has a chance of at most ${percent(chance)} %`;
  return [{ code: 'AT_RANDOM', message }];
}

/**
 * The chance that two replies hold so many logs together, the second no other ones than the first, and both lack
 * one log: for the share left out at which it is the largest. More logs that both lack are less likely.
 */
export function twiceChance(logs: number): number {
  const share = 2 / (logs + 2);
  return (logs + 1) * (1 - share) ** logs * share ** 2;
}
