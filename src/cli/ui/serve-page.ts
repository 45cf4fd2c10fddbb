import { PageRefusal, serveUi, type Workspace } from '../../server/index.ts';
import type { Command } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readSchemaContext } from '../input/read-schema.ts';
import { systemUser } from '../input/system-user.ts';
import { readRules } from '../rules/read-rules.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { downloadLogs } from './download-logs.ts';
import { downloadReport } from './download-report.ts';
import { openBrowser } from './open-browser.ts';
import { openWorkspace } from './workspace.ts';

/** Sources and settings of a page. */
export interface ServePageOptions {
  /** Cases and log files to show; none for a page that offers those of the present folder. */
  readonly given: readonly string[];
  readonly port: number;
  readonly noOpen: boolean;
  readonly json: boolean;
  readonly logZone: string;
  /** Folder of rules; those of the package unless given. */
  readonly rules?: Parameters<typeof readRules>[0];
  /** File with the fields of the deployment; the documented ones unless given. */
  readonly fields?: string | undefined;
  /** Author of notes; the user of the system unless given. */
  readonly author?: string | undefined;
  readonly commands: readonly Command[];
  readonly terminal: Terminal;
}

/** Serves the page until it is interrupted. Rejects with a `UsageError` if a source or the port cannot be used. */
export async function servePage(options: ServePageOptions): Promise<ExitCode> {
  const { port, noOpen, author = systemUser(), terminal } = options;
  const signal = terminal.interruption();
  const schema = await readSchemaContext(options.fields, terminal);
  await using workspace = await openWorkspace({ ...options, folder: process.cwd() }).catch((error) => {
    throw sourceMistake(error);
  });
  const rules = await readRules(options.rules);
  const downloads = { logs: downloadLogs, report: downloadReport };
  await using served = await serveUi({
    ...{ workspace, port, downloads, rules, author, ...schema },
    rulesPath: options.rules,
  }).catch((error) => {
    throw portMistake(error, port);
  });
  const isInteractive = terminal.data.width !== undefined;
  if (isInteractive && !noOpen) openBrowser(served.url);
  await terminal.print(await greeting(served.url, workspace, options));
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve, { once: true });
  });
  return exitCodes.interrupted;
}

async function greeting(url: string, workspace: Workspace, { json }: ServePageOptions): Promise<string> {
  if (json) return `${toJson({ url })}\n`;
  const { given } = await workspace.offers();
  return [
    `${0 < given.length ? given.join(', ') : 'The files of this folder'}: ${url}`,
    'Only this machine can reach it, and only with this address. Press Ctrl-C to stop it.',
    '',
  ].join('\n');
}

/** Turns the refusal of a source into a `UsageError`; returns other errors unchanged. */
function sourceMistake(error: unknown): unknown {
  return error instanceof PageRefusal ? new UsageError(error.message, { cause: error }) : error;
}

/** Turns a failure to listen into a `UsageError`; returns other errors unchanged. */
function portMistake(error: unknown, port: number): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const message = `The port ${port} cannot be used: ${error.message}; --port 0 takes any free port`;
  return new UsageError(message, { cause: error });
}
