export { soapType } from './envelope.ts';
export * from './fault.ts';
export * from './message-version.ts';
export * from './operation.ts';
export * from './profile.ts';
export * from './reply-message.ts';
export * from './request-message.ts';
export * from './service-description.ts';
export * from './wsdl.ts';
