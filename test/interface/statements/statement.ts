import type { Client } from '../../../src/client/client.ts';
import type { IndependentDeployment } from '../parties/independent-deployment.ts';
import type { Reference, Sharing } from '../parties/reference.ts';

/** One row of a table or one rule of the interface document, and how both ends meet it. */
export interface Statement {
  /** The section and the row, as `2.4 replicas.min`. Names the tests. */
  readonly id: string;
  /** The statement in one line. */
  readonly says: string;
  /** Behaviour of our client. Absent where the statement concerns deployments alone. */
  readonly client?: ClientProof;
  /** Behaviour of our deployment. Absent where the statement concerns clients alone. */
  readonly deployment?: DeploymentProof;
}

/** A check of our client against a deployment that shares no code with it. */
export interface ClientProof {
  readonly does: string;
  readonly check: (client: Client, other: IndependentDeployment) => Promise<void> | void;
}

/** A check of the reference deployment. */
export interface DeploymentProof {
  readonly does: string;
  /** The clients that the check is made with. `hand`: only requests written for it, which our client never sends. */
  readonly by: 'both clients' | 'hand';
  readonly check: (reference: Reference) => Promise<void>;
}

/** The statements of one section of the interface document. */
export interface Section extends Sharing {
  readonly number: string;
  readonly title: string;
  /** The name of its file in this folder. */
  readonly file: string;
  readonly statements: readonly Statement[];
}

/** A proof with our own and with an independent client. */
export function deployment(does: string, check: DeploymentProof['check']): DeploymentProof {
  return { does, by: 'both clients', check };
}

/** A proof by requests that only an independent client sends. */
export function byHand(does: string, check: DeploymentProof['check']): DeploymentProof {
  return { does, by: 'hand', check };
}

/** A proof against the independent deployment. */
export function client(does: string, check: ClientProof['check']): ClientProof {
  return { does, check };
}

/** Checks of a value by the type that a table gives it. */
export const isText = (value: unknown): boolean => typeof value === 'string';
export const isWord = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
export const isFlag = (value: unknown): boolean => typeof value === 'boolean';
/** Milliseconds, not seconds, from epoch: between the years 2001 and 2100. */
export const isTime = (value: unknown): boolean =>
  isWhole(value) && 1e12 < Number(value) && Number(value) < 4.2e12;
export const isAddress = (value: unknown): boolean => isWord(value) && URL.canParse(String(value));

/** The words of a text, for lists of values. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
