/** The operations and resources of the deployment. */
export type OperationName = 'generateToken' | 'exportLogs' | 'job' | 'upload' | 'download';
