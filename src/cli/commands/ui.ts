import type { CommandSpec, RunCommand } from '../command-line/command.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { servePage } from '../ui/serve-page.ts';
import type { uiSpec } from '../ui/ui-spec.ts';

/** Returns the command `ui`, which serves the page until it is interrupted. `specs` are those of all commands. */
export function uiCommandOf(specs: readonly CommandSpec[]): RunCommand<typeof uiSpec> {
  return ({ arguments: { source }, options, terminal }) =>
    servePage({ ...options, given: source, logZone: logZoneOf(options), specs, terminal });
}
