export * from './message-codes.ts';
export * from './rollback-form.ts';
export * from './update.ts';
export * from './upgrade-form.ts';
export * from './upgrade-setting.ts';
export * from './upgrade-status.ts';
