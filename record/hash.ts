/** The hash by which contents are compared. */
import { hash } from 'node:crypto';

/** SHA-256, hexadecimal. */
export const sha256Of = (content: string | Uint8Array): string => hash('sha256', content);
