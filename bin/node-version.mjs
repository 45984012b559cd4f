/** Ends the process with a clear message when Node is older than this suite can run on. Needs no package. */
const oldest = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `esign-conformance needs Node ${oldest.join('.')} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org\n`,
  );
  process.exit(3);
}
