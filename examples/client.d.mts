/** Types of client.mjs. */
export function askForSignature(given: {
  readonly url: string;
  readonly token: string;
  readonly pdf: string;
  readonly email: string;
  readonly callbackUrl: string;
}): Promise<string>;
export const pdf: string;
