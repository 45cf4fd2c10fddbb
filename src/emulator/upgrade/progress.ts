import { type UpgradeMessage, type UpgradeStatus, upgradeStates } from '../../protocol/index.ts';
import type { Release, State, UpgradeRun } from '../state/state.ts';
import { scriptOf } from './script.ts';

/** The progress of an upgrade at a time. */
export interface RunProgress {
  readonly status: UpgradeStatus;
  /** True in read-only mode. */
  readonly readOnly: boolean;
  /** True while the administrative interface is replaced and does not answer. */
  readonly away: boolean;
}

/** The status before the first upgrade (field notes). */
const nothing: UpgradeStatus = { state: 'no_upgrade', code: upgradeStates.no_upgrade, messages: [] };

/** The progress of the latest upgrade at a time. */
export function progressAt({ upgrades }: State, now: number): RunProgress {
  const run = upgrades.at(-1);
  return run ? progressOfRun(run, now) : { status: nothing, readOnly: false, away: false };
}

function progressOfRun(run: UpgradeRun, now: number): RunProgress {
  const over = shareOver(run, now);
  const messages = messagesOf(run).filter(({ when }) => when <= now);
  const codes = messages.map(({ code }) => code);
  const running = over < endOf(run);
  const state = running ? 'in_progress' : run.failsAfter === undefined ? 'success' : 'failed';
  return {
    status: { state, code: upgradeStates[state], messages },
    readOnly: codes.includes(2165) && !codes.includes(2166),
    away: running && awayFrom <= over && over < awayUntil,
  };
}

/** Shares of the upgrade between which the interface does not answer, because its own pods are replaced. */
const awayFrom = 0.5;
const awayUntil = 0.56;

function shareOver({ started, duration }: UpgradeRun, now: number): number {
  return duration === 0 ? 1 : (now - started) / duration;
}

function endOf({ failsAfter = 1 }: UpgradeRun): number {
  return failsAfter;
}

/** A message with its time, milliseconds since the epoch. */
export interface TimedMessage extends UpgradeMessage {
  readonly when: number;
}

/** All messages of an upgrade with their times, also future ones. */
export function messagesOf(run: UpgradeRun): readonly TimedMessage[] {
  const end = endOf(run);
  const said = scriptOf(run).filter(({ at }) => at < end || end === 1);
  const ending = run.failsAfter === undefined ? [] : failure.map((line) => ({ ...line, at: end }));
  return [...said, ...ending].map(({ code, message, at }) => ({
    message,
    code,
    when: run.started + Math.round(at * run.duration),
  }));
}

/** The messages of a failure are not documented; this code has not been seen in real deployments. */
const failure = [
  { code: 2166, message: 'The system is coming out of read-only mode.' },
  { code: 2013, message: 'The upgrade failed: a deployment did not become ready in time.' },
];

/** The release at a time: that of the last successful upgrade. */
export function releaseAt({ release, upgrades }: State, now: number): Release {
  return lastDone(upgrades, now)?.to ?? release;
}

/** End of the last successful upgrade, milliseconds since the epoch; 0 without one. */
export function releasedAt({ upgrades }: State, now: number): number {
  const done = lastDone(upgrades, now);
  return done ? done.started + done.duration : 0;
}

function lastDone(upgrades: readonly UpgradeRun[], now: number): UpgradeRun | undefined {
  return upgrades.findLast((run) => run.failsAfter === undefined && run.started + run.duration <= now);
}

/** A release as deployments write it: version and build combined (field notes). */
export function releaseText({ version, build }: Release): string {
  return `${version}.${build}`;
}
