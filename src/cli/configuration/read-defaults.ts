import * as v from 'valibot';
import type { CommandSpec } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { type OptionSpec, optionFlag } from '../command-line/option.ts';

/** A configuration file with its text. */
export interface ConfigurationFile {
  readonly kind: 'project' | 'user';
  readonly path: string;
  readonly text: string;
}

/** The default of an option by a configuration file. */
export interface OptionDefault {
  readonly command: string;
  /** Name of the option in its specification, such as `maxWait`. */
  readonly option: string;
  /** Texts as if written on the command line; none for a switch that is off. */
  readonly written: readonly string[];
  readonly path: string;
}

const value = v.union([v.string(), v.number(), v.boolean(), v.array(v.string())]);
const schema = v.record(v.string(), v.record(v.string(), value));

type Value = v.InferOutput<typeof value>;

/** Key of defaults for every command that has the option. */
const allCommands = '*';

/**
 * Reads the defaults of a configuration file, those of a command before those of all commands. Throws a
 * `UsageError` with the file and the key. Causes are an unknown command or option, a wrong value, and an
 * option that the file may not set.
 */
export function readDefaults(
  file: ConfigurationFile,
  specs: readonly CommandSpec[],
): readonly OptionDefault[] {
  const { [allCommands]: shared = {}, ...own } = parseFile(file);
  return [
    ...Object.entries(own).flatMap(([command, options]) => defaultsOf(file, specs, { command, options })),
    ...Object.entries(shared).flatMap(([key, setting]) =>
      toSharedDefaults(file, specs, { section: allCommands, key, value: setting }),
    ),
  ];
}

interface Section {
  readonly command: string;
  readonly options: Readonly<Record<string, Value>>;
}

function defaultsOf(
  file: ConfigurationFile,
  specs: readonly CommandSpec[],
  { command, options }: Section,
): readonly OptionDefault[] {
  const spec = specs.find(({ name }) => name === command);
  if (spec === undefined) throw mistake(file, command, 'is no command; "logquarry --help" lists them');
  if (file.kind === 'project' && callsDeployment(spec))
    throw mistake(
      file,
      command,
      "calls a deployment, which a project file must not change: set it in the user's file",
    );
  return Object.entries(options).map(([key, setting]) =>
    toDefault(file, spec, { section: command, key, value: setting }),
  );
}

/** The defaults of an option for all commands that have it. A project file leaves out those that call a deployment. */
function toSharedDefaults(
  file: ConfigurationFile,
  specs: readonly CommandSpec[],
  setting: Setting,
): readonly OptionDefault[] {
  const having = specs.filter(({ options }) =>
    Object.keys(options).some((name) => optionFlag(name) === `--${setting.key}`),
  );
  const changed = having.filter((spec) => file.kind === 'user' || !callsDeployment(spec));
  if (changed.length === 0)
    throw mistake(
      file,
      `${setting.section}.${setting.key}`,
      having.length === 0
        ? 'is no option of any command'
        : "is an option of commands that call a deployment only: set it in the user's file",
    );
  return changed.map((spec) => toDefault(file, spec, setting));
}

function parseFile(file: ConfigurationFile): Readonly<Record<string, Readonly<Record<string, Value>>>> {
  const json = parseJson(file);
  // A record of valibot may be an array.
  const read = v.safeParse(schema, Array.isArray(json) ? undefined : json);
  if (read.success) return read.output;
  const key = v.getDotPath(read.issues[0]);
  throw key === null
    ? new UsageError(
        `The configuration "${file.path}" must be a JSON object such as {"search": {"limit": 50}}`,
      )
    : mistake(
        file,
        key,
        'must be a text, a number, true, false or a list of texts, in an object of its command',
      );
}

function parseJson({ path, text }: ConfigurationFile): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the parser would quote the text, which may hold a secret.
    throw new UsageError(`The configuration "${path}" is not valid JSON`, { cause: error });
  }
}

function callsDeployment({ options }: CommandSpec): boolean {
  return Object.values(options).some(({ group }) => group === 'connection');
}

interface Setting {
  /** Key of the section in the file: a command, or `*`. */
  readonly section: string;
  readonly key: string;
  readonly value: Value;
}

function toDefault(
  file: ConfigurationFile,
  spec: CommandSpec,
  { section, key, value }: Setting,
): OptionDefault {
  const keyPath = `${section}.${key}`;
  const [option, found] =
    Object.entries(spec.options).find(([name]) => optionFlag(name) === `--${key}`) ?? [];
  if (option === undefined || found === undefined) {
    throw mistake(
      file,
      keyPath,
      `is no option; "logquarry ${spec.name} --help all" lists them without their dashes`,
    );
  }
  const refusal = refusalOf(option, found, file.kind);
  if (refusal !== undefined) throw mistake(file, keyPath, refusal);
  const args = toWritten(found, value, () => {
    throw mistake(
      file,
      keyPath,
      found.value === undefined ? 'must be true or false' : 'must be a text, a number or a list of texts',
    );
  });
  found.read(args, keyInFile(file, keyPath));
  return { command: spec.name, option, written: args, path: file.path };
}

/** Options that change or send something, or that name the work of one call; a default of them would surprise. */
const perCall: ReadonlySet<string> = new Set([
  ...['yes', 'force', 'dryRun', 'rebuild', 'remove', 'set', 'unset', 'anonymous', 'tokenInUrl', 'noKeyRing'],
  ...['resume', 'retryGaps', 'sinceLast', 'host', 'allowHost', 'askPassword', 'save', 'key', 'timeStamp'],
  ...['watch', 'level', 'maxAge', 'keep', 'replicated', 'originals'],
]);

/** Placeholders of values that are paths or addresses. */
const outsideValues: ReadonlySet<string> = new Set(['FILE', 'FOLDER', 'CASE', 'URL', 'COMMAND', 'PROFILE']);

function refusalOf(
  option: string,
  { group, value = '' }: OptionSpec<unknown>,
  kind: ConfigurationFile['kind'],
): string | undefined {
  if (group === 'connection' || /password|token|secret/i.test(option))
    return 'must not be set in a configuration: "logquarry profile add" saves connections and secrets';
  if (perCall.has(option)) return 'must be given on the command line each time';
  if (kind === 'project' && outsideValues.has(value))
    return 'must not be set by a project file, which may come from others: set it on the command line';
  return undefined;
}

function toWritten(
  { value: placeholder }: OptionSpec<unknown>,
  value: Value,
  refuse: () => never,
): readonly string[] {
  if (placeholder === undefined) return typeof value === 'boolean' ? (value ? ['true'] : []) : refuse();
  if (typeof value === 'boolean') return refuse();
  return typeof value === 'object' ? value : [String(value)];
}

function keyInFile({ path }: ConfigurationFile, key: string): string {
  return `"${key}" in "${path}"`;
}

function mistake(file: ConfigurationFile, key: string, problem: string): UsageError {
  return new UsageError(`${keyInFile(file, key)} ${problem}`);
}
