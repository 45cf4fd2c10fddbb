import type { Case } from '../../../src/case/file/case.ts';
import type { DeploymentOptions } from '../../../src/emulator/deployment.ts';
import type { PropertyTemplate, Replicas } from '../../../src/protocol/property-template.ts';
import type { Update } from '../../../src/protocol/upgrades.ts';
import type { Log } from '../../../src/records/log.ts';
import { type Running, startRunning } from '../running.ts';
import type { Calls, ExportParameters } from './calls.ts';
import { independentCalls } from './independent-calls.ts';
import { ownCalls } from './own-calls.ts';

/** A reference deployment as one client meets it. */
export interface Reference {
  readonly running: Running;
  readonly calls: Calls;
  /** The logs that an export comes to, from its submission to its zip. */
  readonly exported: (parameters: ExportParameters) => Promise<readonly Log[]>;
  /** The shared deployment of another version. */
  readonly at: (version: string) => Promise<Reference>;
  /** Uses a deployment of its own, for what changes it for good. */
  readonly alone: (options: DeploymentOptions, use: (reference: Reference) => Promise<void>) => Promise<void>;
}

/** The shared deployments of a section, and their preparation. */
export interface Sharing {
  readonly options?: DeploymentOptions;
  readonly prepare?: (reference: Reference, version: string) => Promise<void>;
}

type ClientName = Calls['client'];

/** The deployments that the statements of a section share: one for each version, started when it is needed. */
export interface Shared extends AsyncDisposable {
  readonly reference: (client: ClientName, version?: string) => Promise<Reference>;
}

export const clientNames = ['own client', 'independent client'] as const satisfies readonly ClientName[];

/**
 * Shares deployments until it is closed. Those that are given no logs have them all in one case, because
 * a case of its own for each takes most of the time of a test.
 */
export function share({ options = {}, prepare = async () => {} }: Sharing, logs: Case): Shared {
  const started = new Map<string, Promise<Started>>();
  const open = (changes: DeploymentOptions) => startBoth({ logs, ...changes });
  const start = async (version: string) => {
    const made = await open({ ...options, version });
    await prepare(toReference(made, 'independent client', { reference, open }), version);
    return made;
  };
  const reference = async (client: ClientName, version = options.version ?? '11.2') => {
    const made = started.get(version) ?? start(version);
    started.set(version, made);
    return toReference(await made, client, { reference, open });
  };
  const close = async () => {
    for (const made of started.values()) await (await made).running[Symbol.asyncDispose]();
  };
  return { reference, [Symbol.asyncDispose]: close };
}

interface Started {
  readonly running: Running;
  readonly calls: Readonly<Record<ClientName, Calls>>;
}

async function startBoth(options: DeploymentOptions): Promise<Started> {
  const running = await startRunning(options);
  return {
    running,
    calls: { 'own client': ownCalls(running.client), 'independent client': independentCalls(running) },
  };
}

interface Opening {
  readonly reference: Shared['reference'];
  readonly open: (options: DeploymentOptions) => Promise<Started>;
}

function toReference(started: Started, client: ClientName, opening: Opening): Reference {
  const { running } = started;
  const calls = started.calls[client];
  return {
    running,
    calls,
    exported: async (parameters) => {
      const { jobsUrl } = await calls.submit(parameters);
      running.wait(10_000);
      const { result } = (await calls.job(jobsUrl)) as { result: { URL: string } };
      return calls.download(result.URL);
    },
    at: (version) => opening.reference(client, version),
    alone: async (options, use) => {
      const own = await opening.open(options);
      try {
        await use(toReference(own, client, opening));
      } finally {
        await own.running[Symbol.asyncDispose]();
      }
    },
  };
}

/** The template of a GIS service, with replicas and placement as a new deployment of version 11.2 has them. */
export async function editable({ calls }: Reference): Promise<PropertyTemplate> {
  const found = (await calls.templates()).find(
    ({ type, mode }) => type === 'GPServer' && mode === 'Dedicated',
  );
  if (!found) throw new Error('There is no template to edit');
  const { autoscaling: _, ...replicas } = { ...found.spec.replicas, min: 1, max: 1 };
  const { podPlacementPolicy: _policy, ...spec } = found.spec;
  const mode = replicas.scalingMode === undefined ? {} : { scalingMode: 'manual' };
  return { ...found, spec: { ...spec, replicas: { ...replicas, ...mode } } };
}

/** A template with other replicas. */
export function withReplicas(template: PropertyTemplate, replicas: Replicas): PropertyTemplate {
  return { ...template, spec: { ...template.spec, replicas } };
}

/** The template after an edit, as the deployment has it. */
export async function edited(reference: Reference, template: PropertyTemplate): Promise<PropertyTemplate> {
  await reference.calls.edit(template);
  const found = (await reference.calls.templates()).find(({ id }) => id === template.id);
  if (!found) throw new Error('The template is gone');
  return found;
}

/** The first update of a kind that is available. */
export async function updateOf({ calls }: Reference, kind: 'release' | 'patch'): Promise<Update> {
  const found = (await calls.available()).find(({ type }) => type === kind);
  if (!found) throw new Error(`There is no ${kind}`);
  return found;
}
