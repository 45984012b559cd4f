/** The part `upload` of a target profile: how files are sent, and where the document token stands. */
import { type Static, Type } from '@sinclair/typebox';
import { closed, pointer } from './parts.ts';

export const TokenPlace = Type.Union(
  [
    Type.Literal('auto'),
    Type.Literal('text'),
    Type.Object({ pointer }, closed),
    Type.Object({ header: Type.String({ minLength: 1, description: 'Name of the header field.' }) }, closed),
  ],
  {
    description:
      'Where the document token stands in the answer: a JSON Pointer (the empty one is a bare JSON string), plain text, or a header.',
  },
);

export const Upload = Type.Object(
  {
    encoding: Type.Optional(
      Type.Union([Type.Literal('auto'), Type.Literal('multipart'), Type.Literal('raw')], {
        default: 'auto',
        description:
          'A part of multipart/form-data, or the body itself; auto tries the usual ways with the first document.',
      }),
    ),
    field: Type.Optional(
      Type.String({ minLength: 1, description: 'Field of the multipart body; "file" by default.' }),
    ),
    fileName: Type.Optional(
      Type.Union(
        [
          Type.Object(
            { header: Type.String({ minLength: 1, description: 'Name of a header field.' }) },
            closed,
          ),
          Type.Object(
            { query: Type.String({ minLength: 1, description: 'Name of a query parameter.' }) },
            closed,
          ),
        ],
        { description: 'Where the file name goes besides the multipart part.' },
      ),
    ),
    token: Type.Optional(TokenPlace),
  },
  { ...closed, description: 'How a document is uploaded, and where its token stands in the answer.' },
);

export type TokenPlace = Static<typeof TokenPlace>;
