import * as v from 'valibot';
import { type NamedFile, type PropertyTemplate, readTemplate } from '../../protocol/index.ts';

/** The state of a deployment beside its logs, as JSON. Accounts and tokens are not part of it. */
export interface State {
  /** The initial release. The current one follows from the upgrades. */
  readonly release: Release;
  readonly templates: readonly PropertyTemplate[];
  /** The version of the templates. Absent: that of `release`. */
  readonly templatesVersion?: string | undefined;
  /** The oldest first. */
  readonly upgrades: readonly UpgradeRun[];
  /** The oldest first. */
  readonly uploads: readonly StoredUpload[];
  /** Absent before the first edit. */
  readonly logSettings?: EditedLogSettings | undefined;
}

/** The log settings of the latest edit. */
export interface EditedLogSettings {
  readonly logLevel: string;
  readonly maxLogAgeDays: number;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
}

/** A version and its build, such as `11.2` and `3820`. */
export interface Release {
  readonly version: string;
  readonly build: string;
}

/** An upgrade or a rollback at its start; its progress follows from the clock. */
export interface UpgradeRun {
  /** The identifier of the release or patch. */
  readonly update: string;
  readonly kind: 'release' | 'patch' | 'rollback';
  readonly from: Release;
  readonly to: Release;
  /** Milliseconds since the epoch. */
  readonly started: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Present: it fails after this share of its duration, 0 to 1. */
  readonly failsAfter?: number | undefined;
  readonly username: string;
  readonly requestID: string;
}

/** An uploaded file. */
export interface StoredUpload {
  readonly id: string;
  /** Without a folder. */
  readonly name: string;
  readonly description: string;
  /** Milliseconds since the epoch. */
  readonly date: number;
  /** The bytes, in Base64. */
  readonly content: string;
}

/** The file of a stored upload. */
export function toFile({ name, content }: StoredUpload): NamedFile {
  return { name, bytes: new Uint8Array(Buffer.from(content, 'base64')) };
}

const release = v.object({ version: v.string(), build: v.string() });
const run = v.object({
  update: v.string(),
  kind: v.picklist(['release', 'patch', 'rollback']),
  from: release,
  to: release,
  started: v.number(),
  duration: v.number(),
  failsAfter: v.optional(v.number()),
  username: v.string(),
  requestID: v.string(),
});
const upload = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  date: v.number(),
  content: v.union([v.literal(''), v.pipe(v.string(), v.base64())]),
});
const state = v.object({
  release,
  templates: v.array(v.unknown()),
  templatesVersion: v.optional(v.string()),
  upgrades: v.array(run),
  uploads: v.array(upload),
  logSettings: v.exactOptional(
    v.object({ logLevel: v.string(), maxLogAgeDays: v.number(), lastModified: v.number() }),
  ),
});

/** Reads a state from JSON; undefined if the body is none. */
export function parseState(body: unknown): State | undefined {
  const result = v.safeParse(state, body);
  if (!result.success) return undefined;
  const templates = result.output.templates.map(readTemplate);
  if (templates.some((read) => 'findings' in read)) return undefined;
  return {
    ...result.output,
    templates: templates.flatMap((read) => ('template' in read ? [read.template] : [])),
  };
}
