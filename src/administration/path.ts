/** One step into a value of JSON: the name of a member, or the place in a list. */
export type Step = string | number;

/**
 * The steps that a path stands for, as in `spec.containers[0].resources.cpuMax`.
 * A name that holds a dot or a bracket is written as `labels["a.b"]`. Undefined
 * where the text is no path.
 */
export function stepsOf(path: string): readonly Step[] | undefined {
  const steps = [...path.matchAll(step)].map(([, name, place, quoted]) => {
    if (quoted !== undefined) return textOf(quoted);
    return place === undefined ? name : Number(place);
  });
  const whole = [...path.matchAll(step)].map(([text]) => text).join('') === path;
  return whole && path !== '' && !steps.includes(undefined)
    ? steps.filter((each) => each !== undefined)
    : undefined;
}

// A dot stands before every name but the first, which begins the text.
const step = /(?:(?:^|(?<!^)\.)([^.[\]"]+))|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/g;

function textOf(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** The path of steps, as `stepsOf` reads it. */
export function pathOf(steps: readonly Step[]): string {
  return steps
    .map((each, at) => {
      if (typeof each === 'number') return `[${each}]`;
      if (!/^[^.[\]"]+$/.test(each)) return `[${JSON.stringify(each)}]`;
      return at === 0 ? each : `.${each}`;
    })
    .join('');
}
