export * from './exact-number.ts';
export * from './read-exact-json.ts';
export * from './read-literals.ts';
export * from './write-exact-json.ts';
