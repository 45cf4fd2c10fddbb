import type { Client } from './client.ts';

export interface ReadOptions {
  /** The parameters of the request, without the token. */
  readonly form: URLSearchParams;
  readonly signal: AbortSignal;
}

/**
 * Reads a resource of the deployment by POST, which keeps the token out of
 * addresses and their logs. An address that takes no POST, or is not the
 * deployment's, is read by GET.
 */
export async function readResource(client: Client, address: string, options: ReadOptions): Promise<Response> {
  const { form, signal } = options;
  const foreign = new URL(address).origin !== new URL(client.addresses.root).origin;
  if (!foreign) {
    const response = await client.read(new Request(address, { method: 'POST', body: form, signal }));
    if (response.status !== 405 && response.status !== 501) return response;
    await response.body?.cancel();
  }
  const url = new URL(address);
  for (const [parameter, value] of form) url.searchParams.set(parameter, value);
  return client.read(new Request(url, { signal }));
}
