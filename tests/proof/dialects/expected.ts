/** What cannot run at some compliant services, and why: any other could-not-run of a dialect run is a mistake. */

export interface Expected {
  /** What the check says. */
  readonly says: RegExp;
  /** Only where the profile is empty. */
  readonly bare?: true;
  readonly why: string;
}

export const expected: readonly Expected[] = [
  {
    says: /nothing shows that the target (can reach|reaches)/,
    why: 'the service calls public addresses only, and a test has none',
  },
  {
    says: /with its CallbackUrl it was refused/,
    why: 'the service takes public URLs only, and a test has none',
  },
  {
    says: /and not accepted with (CallbackTypes \[.*|CallbackUrl with one event) either$/,
    why: 'the service takes public URLs only, whatever stands beside them, and a test has none',
  },
  {
    says: /api\/Requests\?type=3 \(exchange \d+\) was answered with 200 \(empty body\)/,
    why: 'no id stands in the answer to an auto stamping creation, so that nobody can go on with the request',
  },
  {
    says: /calls\.sign (was answered with 404|names the signatory, for whom the target gave no id)/,
    why: 'the answer to an auto stamping creation carries no signatoryId, or the request is not visible yet',
  },
  {
    says: /is a link; if signed PDFs are attached that way|no PDF is among them/,
    why: 'links are followed only where the profile says that they are attachments',
  },
  {
    says: /cannot be read: nothing of the request is on it/,
    why: 'what the profile calls the signing page is the answer to another question',
  },
  {
    says: /the profile does not say how (files are sent|the body travels)/,
    bare: true,
    why: 'how files and bodies travel was tried, and none of the usual ways was taken',
  },
  {
    says: /the body is not multipart\/form-data|and not accepted with .* either$/i,
    bare: true,
    why: 'a body that travels in a form is refused as plain JSON, whatever is in it',
  },
  {
    says: /by guess: say where it stands/,
    bare: true,
    why: 'the document token was guessed among several candidates',
  },
];
