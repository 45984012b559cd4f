/** Loaded into a process before anything else: ends it at once when it is the test runner. */
if (process.argv[1]?.includes('playwright')) {
  process.stderr.write('the runner broke\n');
  process.exit(1);
}
