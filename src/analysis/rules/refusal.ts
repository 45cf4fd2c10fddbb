/** Thrown for a rule that cannot be evaluated; `compileRules` alone catches it. The message gives the reason. */
export class RuleRefusal extends Error {
  override readonly name = 'RuleRefusal';
}

/** Throws a `RuleRefusal` with this reason. */
export function refuseRule(reason: string): never {
  throw new RuleRefusal(reason);
}
