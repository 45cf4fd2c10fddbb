export { demoCommandOf } from './demo.ts';
export { emulateCommand } from './emulate.ts';
export { exportCommand } from './export.ts';
