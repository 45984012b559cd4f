/** The hash by which contents are compared. */
import { createHash } from 'node:crypto';

/** SHA-256, hexadecimal. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
