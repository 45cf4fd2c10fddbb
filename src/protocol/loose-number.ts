import * as v from 'valibot';

/** A number, also one that is written as text; anything else reads as absent. */
export const looseNumber = v.fallback(
  v.optional(
    v.union([
      v.pipe(v.number(), v.finite()),
      v.pipe(v.string(), v.trim(), v.regex(/^-?\d{1,15}(\.\d{1,9})?$/), v.transform(Number)),
    ]),
  ),
  undefined,
);

/** A text; anything else reads as absent. */
export const looseText = v.fallback(v.optional(v.string()), undefined);
