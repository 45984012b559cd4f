/** Headers by which a receiver can tell that a callback is genuine; the document shows no such check. */
import { createHmac } from 'node:crypto';
import type { Dialect } from '../dialect.ts';
import type { CallbackContent } from './content.ts';

export function proofHeaders(
  dialect: Dialect,
  { deliveryId }: CallbackContent,
  body: Buffer,
  nowMs: number,
): Record<string, string> {
  const { callbackSecret: secret } = dialect;
  const seconds = String(Math.floor(nowMs / 1000));
  switch (dialect.callbackAuth) {
    case 'none':
      return {};
    case 'secret-header':
      return { 'X-Callback-Secret': secret };
    case 'bearer':
      return { Authorization: `Bearer ${secret}` };
    case 'hmac-body':
      return { 'X-Signature': `sha256=${hmac(Buffer.from(secret), [body]).toString('hex')}` };
    case 'hmac-time-body': {
      const digest = hmac(Buffer.from(secret), [`${seconds}.`, body]).toString('hex');
      return { 'X-Signature': `t=${seconds},v1=${digest}` };
    }
    case 'standard-webhooks': {
      const digest = hmac(webhookKey(secret), [`${deliveryId}.${seconds}.`, body]).toString('base64');
      return {
        'webhook-id': deliveryId,
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${digest}`,
      };
    }
  }
}

/** Standard Webhooks: the key in base64, with or without `whsec_` before it. */
function webhookKey(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function hmac(key: Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}
