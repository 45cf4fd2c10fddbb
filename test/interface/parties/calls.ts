import type { ServiceDescription } from '../../../src/protocol/catalog.ts';
import type { SubmittedJob } from '../../../src/protocol/export-jobs.ts';
import type { PropertyTemplate } from '../../../src/protocol/property-template.ts';
import type {
  Update,
  UpgradeRequest,
  UpgradeSetting,
  UpgradeStatus,
} from '../../../src/protocol/upgrades.ts';
import type { NamedFile } from '../../../src/protocol/uploads.ts';
import type { Log } from '../../../src/records/log.ts';

/** Parameters of an export by their names on the wire; absent ones are not sent. */
export type ExportParameters = Readonly<Record<string, string>>;

/** The finished job resource as it is on the wire. */
export type Job = Readonly<Record<string, unknown>>;

/**
 * The operations of the interface as one client calls them. A refusal is an
 * error whose message holds the words of the deployment.
 */
export interface Calls {
  readonly client: 'own client' | 'independent client';
  readonly messageVersion: () => Promise<{
    readonly MessageVersion: string;
    readonly ProMessageVersion: string;
  }>;
  readonly messageFormats: () => Promise<string>;
  readonly tokenServiceUrl: () => Promise<string>;
  readonly requiresTokens: () => Promise<boolean>;
  readonly folders: () => Promise<readonly string[]>;
  /** All services, or those of one folder. */
  readonly services: (folder?: string) => Promise<readonly ServiceDescription[]>;
  readonly submit: (parameters: ExportParameters) => Promise<SubmittedJob>;
  readonly job: (jobsUrl: string) => Promise<Job>;
  readonly download: (url: string) => Promise<readonly Log[]>;
  readonly templates: () => Promise<readonly PropertyTemplate[]>;
  /** Edits the template with this identifier. */
  readonly edit: (template: PropertyTemplate) => Promise<void>;
  readonly available: () => Promise<readonly Update[]>;
  readonly settings: (id: string) => Promise<readonly UpgradeSetting[]>;
  readonly rollbackOptions: () => Promise<readonly Update[]>;
  readonly upgrade: (request: UpgradeRequest) => Promise<UpgradeStatus>;
  readonly status: () => Promise<UpgradeStatus>;
  /** The identifier of the uploaded file. */
  readonly upload: (file: NamedFile) => Promise<string>;
}
