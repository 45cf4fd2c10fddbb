export * from './exact-number.ts';
export * from './is-object.ts';
export * from './read-exact-json.ts';
export * from './read-literals.ts';
export * from './write-exact-json.ts';
