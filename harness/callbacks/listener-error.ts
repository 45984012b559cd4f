/** The error of a listener that cannot listen: its message says which setting to change. */
import { ConfigurationError } from '../../record/errors.ts';

/** `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL` and the like as Node names them; `PUBLIC_URL` for one that is none. */
export class ListenerError extends ConfigurationError {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error for what `server.listen` reported. */
export function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): ListenerError {
  const code = cause.code ?? 'UNKNOWN';
  const why: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is taken by another program; set callbacks.listen.port to a free one, or to 0 for any free one`,
    EACCES: `port ${port} on ${host} needs more rights; set callbacks.listen.port to one above 1023`,
    EADDRNOTAVAIL: `this machine has no address ${host}; set callbacks.listen.host to one of its own, such as 127.0.0.1 or 0.0.0.0`,
    ENOTFOUND: `the name ${host} is unknown; set callbacks.listen.host to an address of this machine`,
  };
  const reason = why[code] ?? `listening on ${host} port ${port} failed with ${code}`;
  return new ListenerError(code, `the callback listener cannot start: ${reason}`, { cause });
}
