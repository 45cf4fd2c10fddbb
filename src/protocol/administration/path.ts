/** One step into a JSON value: the name of a member, or an index in a list. */
export type MemberStep = string | number;

/**
 * Reads a path such as `spec.containers[0].resources.cpuMax` as steps. A name with a dot or a bracket is
 * written as `labels["a.b"]`. Undefined if the text is no path.
 */
export function readMemberPath(path: string): readonly MemberStep[] | undefined {
  const steps = [...path.matchAll(step)].map(([, name, place, quoted]) => {
    if (quoted !== undefined) return textOf(quoted);
    return place === undefined ? name : Number(place);
  });
  const whole = [...path.matchAll(step)].map(([text]) => text).join('') === path;
  return whole && path !== '' && !steps.includes(undefined)
    ? steps.filter((each) => each !== undefined)
    : undefined;
}

// A dot precedes every name except the first, which begins the text.
const step = /(?:(?:^|(?<!^)\.)([^.[\]"]+))|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/g;

function textOf(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** Writes steps as a path that `stepsOf` reads. */
export function memberPath(steps: readonly MemberStep[]): string {
  return steps
    .map((each, at) => {
      if (typeof each === 'number') return `[${each}]`;
      if (!/^[^.[\]"]+$/.test(each)) return `[${JSON.stringify(each)}]`;
      return at === 0 ? each : `.${each}`;
    })
    .join('');
}
