/**
 * Mutants that no test needs to kill: the code that is replaced, in one line, the
 * replacements (all of them where `becomes` is absent), and the reason.
 */
export const explained = [];
