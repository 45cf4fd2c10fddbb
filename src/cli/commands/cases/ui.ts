import { matchAllFilter } from '../../../meaning/filter.ts';
import { serveUi } from '../../../ui/index.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { exitCodes } from '../../command-line/exit-code.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { logZoneOf } from '../../command-line/zone-option.ts';
import { openSources } from '../../input/open-sources.ts';
import { systemUser } from '../../input/system-user.ts';
import { readRules } from '../../rules/read-rules.ts';
import { toJson } from '../../terminal/printable.ts';
import { downloadLogs } from '../../ui/download-logs.ts';
import { downloadReport } from '../../ui/download-report.ts';
import { openBrowser } from '../../ui/open-browser.ts';
import type { uiSpec } from '../../ui/ui-spec.ts';

/** Serves the page until it is interrupted. */
export const uiCommand: RunCommand<typeof uiSpec> = async ({ arguments: given, options, terminal }) => {
  const signal = terminal.interruption();
  await using sources = await openSources(
    given.source,
    { logZone: logZoneOf(options), clusters: { copied: matchAllFilter, contents: 'whole' } },
    terminal,
  );
  const opened = { ...sources, paths: given.source };
  const { port, author = systemUser() } = options;
  const rules = await readRules(options.rules);
  const downloads = { logs: downloadLogs, report: downloadReport };
  await using served = await serveUi({ opened, port, downloads, rules, author }).catch((error) => {
    throw portMistake(error, port);
  });
  const isInteractive = terminal.data.width !== undefined;
  if (isInteractive && !options.noOpen) openBrowser(served.url);
  await terminal.print(
    options.json
      ? `${toJson({ url: served.url })}\n`
      : [
          `${sources.names.join(', ')}: ${served.url}`,
          'Only this machine can reach it, and only with this address. Press Ctrl-C to stop it.',
          '',
        ].join('\n'),
  );
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve, { once: true });
  });
  return exitCodes.interrupted;
};

/** Turns a failure to listen into a `UsageError`; returns other errors unchanged. */
function portMistake(error: unknown, port: number): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const message = `The port ${port} cannot be used: ${error.message}; --port 0 takes any free port`;
  return new UsageError(message, { cause: error });
}
