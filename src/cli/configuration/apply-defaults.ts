import type { CommandSpec, WrittenCall } from '../command-line/command.ts';
import type { OptionDefault } from './read-defaults.ts';

type Written = WrittenCall['options'];

/**
 * Adds defaults to the options of a call. One that a written option or an earlier default excludes is left
 * out, and so is one that requires an option that is not given.
 */
export function applyDefaults(
  spec: CommandSpec,
  written: WrittenCall,
  defaults: readonly OptionDefault[],
): WrittenCall {
  const own = defaults.filter(({ command, written: texts }) => command === spec.name && 0 < texts.length);
  const options: Record<string, readonly string[]> = { ...written.options };
  for (const { option, written: texts } of own)
    if (!isGiven(options, option) && !isExcluded(spec, options, option)) options[option] = texts;
  const needed = Object.entries(spec.requires ?? {});
  const idle = needed.filter(
    ([option, other]) => !isGiven(written.options, option) && !isGiven(options, other),
  );
  return { ...written, options: { ...options, ...Object.fromEntries(idle.map(([option]) => [option, []])) } };
}

function isGiven(options: Written, name: string): boolean {
  return 0 < (options[name]?.length ?? 0);
}

function isExcluded({ excludes = {} }: CommandSpec, given: Written, option: string): boolean {
  return Object.entries(excludes).some(([name, others]) =>
    name === option
      ? others.some((other) => isGiven(given, other))
      : others.includes(option) && isGiven(given, name),
  );
}
