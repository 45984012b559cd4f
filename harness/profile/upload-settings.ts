/** The part `upload` of a target profile: how files are sent, and where the document token stands. */
import { Type } from '@sinclair/typebox';
import { filled, literals, mapping, object, optional } from '../../record/schema-parts.ts';
import { named, placeOf } from './parts.ts';

const mediaType = (format: string) =>
  Type.String({ pattern: '^[^\\s/]+/[^\\s/]+', description: `Content-Type of a ${format} file.` });

const ContentTypes = mapping(
  { pdf: mediaType('PDF'), doc: mediaType('DOC'), docx: mediaType('DOCX') },
  'Content-Type of each format, of the part or of the raw body, where the target wants another one than the registered one. Without it a raw body that is refused is sent once more as application/octet-stream.',
);

export const Upload = object(
  {
    encoding: optional(
      literals(
        ['auto', 'multipart', 'raw'],
        'A part of multipart/form-data, or the body itself; auto tries the usual ways with the first document.',
        'auto',
      ),
    ),
    field: optional(filled('Field of the multipart body; "file" by default.')),
    fields: optional(named('Other fields of the multipart body, with the same text for each file.')),
    contentTypes: optional(ContentTypes),
    fileName: optional(
      Type.Union(
        [
          object({
            header: filled('Name of a header field.'),
            value: optional(
              Type.String({
                pattern: '\\{name\\}',
                default: '{name}',
                description:
                  'Value of the header field, with {name} for the percent-encoded file name: for example attachment; filename="{name}".',
              }),
            ),
          }),
          object({ query: filled('Name of a query parameter.') }),
        ],
        { description: 'Where the file name goes besides the multipart part.' },
      ),
    ),
    token: optional(
      Type.Union([Type.Literal('auto'), placeOf('A place; the empty JSON Pointer is a bare JSON string.')], {
        description: 'Where the document token stands in the answer; auto looks for it.',
      }),
    ),
  },
  'How a document is uploaded, and where its token stands in the answer.',
);
