import type { Log } from '../../records/index.ts';
import type { Random } from '../incident/random.ts';
import type { ScriptedLog } from '../incident/story.ts';
import type { StoryTruth } from './story-truth.ts';

/** Circumstances of an event: its time in milliseconds after the beginning of the story. */
export interface PlotMoment {
  readonly offset: number;
  readonly random: Random;
}

/** The difference between a story and ordinary days. */
export interface StoryPlot {
  /** The fixed logs. */
  readonly scripted: (random: Random) => ScriptedLog[];
  /** Changes the logs of one event of the ordinary traffic. */
  readonly alter: (logs: Log[], moment: PlotMoment) => Log[];
  /** The facts, for a story that begins at a time: milliseconds since the epoch. */
  readonly truth: (begin: number) => StoryTruth;
}
