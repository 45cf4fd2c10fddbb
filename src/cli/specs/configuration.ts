import type { CommandSpec } from '../command-line/command.ts';
import { switchOption } from '../command-line/option.ts';

/** Arguments and options of `logquarry config`. */
export const configSpec = {
  name: 'config',
  summary: 'Show the default options of the configuration files',
  details: [
    'Defaults of options by command, such as {"search": {"limit": 50}}, come from ".logquarry.json" in the working folder or the nearest one above, then from "config.json" in the folder of the user\'s settings. An option of the command line wins over both, and the project file over that of the user.',
    'LOGQUARRY_CONFIG names another file for the user; "none" reads neither, for scripts.',
    'Connections and secrets belong in profiles: "logquarry profile add". A project file may set neither paths nor options of commands that call a deployment.',
  ],
  arguments: {},
  options: { json: switchOption('Print JSON') },
  examples: [{ run: 'logquarry config', about: 'which defaults apply here, and why' }],
} as const satisfies CommandSpec;
