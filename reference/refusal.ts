/** A refusal: thrown where a rule is broken, answered in the shape that the dialect gives it. */

/** Messages that go with a status where the document gives them (section "Errors") or HTTP does. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

export class Refusal extends Error {
  readonly status: number;
  /** What in particular is wrong, for people. */
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    more: {
      readonly message?: string;
      readonly detail?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(more.message ?? phrases[status] ?? `Status ${status}`);
    this.name = 'Refusal';
    this.status = status;
    this.detail = more.detail;
    this.headers = more.headers ?? {};
  }
}

/** The 400 of section "Errors": a body that misses required fields or is malformed. */
export function badRequest(detail: string): Refusal {
  return new Refusal(400, { detail });
}
