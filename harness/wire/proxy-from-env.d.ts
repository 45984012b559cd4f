/** Types of the package proxy-from-env, which has none. */
declare module 'proxy-from-env' {
  /** The proxy for a URL by the variables of the environment; empty when it is called directly. */
  export function getProxyForUrl(url: string): string;
}
