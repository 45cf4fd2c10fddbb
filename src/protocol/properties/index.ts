export * from './edit-form.ts';
export * from './known-values.ts';
export * from './read-template.ts';
export * from './template.ts';
export * from './templates-of.ts';
