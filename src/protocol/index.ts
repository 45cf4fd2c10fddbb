export * from './addresses.ts';
export * from './export-request.ts';
export * from './failure.ts';
export * from './finding.ts';
export * from './job.ts';
export * from './reply.ts';
export * from './reply-format.ts';
export * from './token.ts';
