import type { ObservedBehaviour } from './observed-behaviour.ts';

/** Something that nothing proves about an export. The codes are stable. */
export interface ExportDoubt {
  readonly code: keyof typeof doubtCodes;
  /** One sentence. */
  readonly message: string;
}

/** What an export cannot prove. The manual explains the codes. */
export const doubtCodes = {
  SAMPLED: 'Only a sample was requested again',
  NOT_SAMPLED: 'Nothing was requested again',
  UNSORTED: 'Only the sizes of replies show that they are whole',
  LATE: 'Logs arrived after their time',
} as const;

/** What was requested again. */
interface Sample {
  readonly sampled: number;
  readonly ends: number;
  readonly share: number;
  readonly chance: number;
  readonly byLevel: number;
  readonly late: number;
  readonly trouble?: string;
}

/** Lists what nothing proves of an export, as far as it depends on what happened. */
export function doubtsAbout({
  observed,
  sample,
}: {
  readonly observed: ObservedBehaviour;
  readonly sample: Sample | undefined;
}): readonly ExportDoubt[] {
  const doubts: ExportDoubt[] = [];
  if (sample?.trouble !== undefined) {
    const message = `No sample of the logs could be requested again: ${sample.trouble}`;
    doubts.push({ code: 'NOT_SAMPLED', message });
  } else if (sample && sample.sampled < sample.ends) {
    const part = Math.round(1 / sample.share);
    const percent = Math.max(0.1, Math.round(sample.chance * 1000) / 10);
    const byLevel = sample.byLevel === 0 ? '' : `, and ${sample.byLevel} logs by level`;
    const message =
      `${sample.sampled} of ${sample.ends} ends of windows were requested again${byLevel}, and nothing was missing; ` +
      `if one in ${part} lacked logs, that would be missed with a chance of ${percent} %`;
    doubts.push({ code: 'SAMPLED', message });
  }
  if (observed.order === 'untrusted') {
    const message = 'The deployment does not sort, so the sizes of replies alone show that each is whole';
    doubts.push({ code: 'UNSORTED', message });
  }
  if (sample && 0 < sample.late) {
    const seconds = Math.ceil(sample.late / 1000);
    doubts.push({ code: 'LATE', message: `Logs arrive up to ${seconds} s after their time` });
  }
  return doubts;
}
