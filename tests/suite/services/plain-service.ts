/**
 * A correct service as unlike the usual one as the interface document allows, for tests that need any: raw uploads,
 * tokens and errors as plain text, ids of digits, 201 where no status is stated, 415 and 422 where the document is
 * silent, strict about unknown fields. Services that share no code with the reference are those of the dialect rows.
 */
import { startReference } from '../../../reference/server.ts';

export async function startPlainService() {
  const { baseUrl, tokens, close } = await startReference({
    dialect: {
      basePath: '/sandbox/v1',
      uploadEncoding: 'raw',
      uploadFileName: 'none',
      tokenPlace: 'text',
      documentTokenForm: 'digits',
      uploadStatus: 201,
      uploadRefusedStatus: 422,
      skeletonStatus: 201,
      signatoryStatus: 201,
      createAnswer: 'empty',
      idForm: 'digits',
      errorShape: 'text',
      contentTypeStatus: 415,
      wrongTypeStatus: 422,
      valueStatus: 422,
      unknownFields: 'refused',
    },
  });
  return { baseUrl, token: tokens.valid, expiredToken: tokens.expired, close };
}
