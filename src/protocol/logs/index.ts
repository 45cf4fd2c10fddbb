export * from './log-list-form.ts';
export * from './log-page.ts';
export * from './log-settings.ts';
