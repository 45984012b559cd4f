/** The part `upload` of a target profile: how files are sent, and where the document token stands. */
import { Type } from '@sinclair/typebox';
import { closed, named, placeOf } from './parts.ts';

const mediaType = (format: string) =>
  Type.String({ pattern: '^[^\\s/]+/[^\\s/]+', description: `Content-Type of a ${format} file.` });

const ContentTypes = Type.Partial(
  Type.Object({ pdf: mediaType('PDF'), doc: mediaType('DOC'), docx: mediaType('DOCX') }),
  {
    ...closed,
    description:
      'Content-Type of each format, of the part or of the raw body, where the target wants another one than the registered one. Without it a raw body that is refused is sent once more as application/octet-stream.',
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
    fields: Type.Optional(named('Other fields of the multipart body, with the same text for each file.')),
    contentTypes: Type.Optional(ContentTypes),
    fileName: Type.Optional(
      Type.Union(
        [
          Type.Object(
            {
              header: Type.String({ minLength: 1, description: 'Name of a header field.' }),
              value: Type.Optional(
                Type.String({
                  pattern: '\\{name\\}',
                  default: '{name}',
                  description:
                    'Value of the header field, with {name} for the percent-encoded file name: for example attachment; filename="{name}".',
                }),
              ),
            },
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
    token: Type.Optional(
      Type.Union([Type.Literal('auto'), placeOf('A place; the empty JSON Pointer is a bare JSON string.')], {
        description: 'Where the document token stands in the answer; auto looks for it.',
      }),
    ),
  },
  { ...closed, description: 'How a document is uploaded, and where its token stands in the answer.' },
);
