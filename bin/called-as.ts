/** How the command line is called: an npm script starts it in a checkout. */
export function calledAs(): string {
  return process.env.npm_lifecycle_event === 'conformance' ? 'npm run conformance --' : 'esign-conformance';
}
