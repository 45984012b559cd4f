/** The reference service in a process of its own, which a test may kill: `reference-child.ts <data folder> <port>`. */
import { startReference } from '../../reference/server.ts';

const [dataDir = '', port = '0'] = process.argv.slice(2);
const reference = await startReference({
  dataDir,
  port: Number(port),
  dialect: { callbackRetryMs: 50, callbackRetries: 1_000 },
});
process.stdout.write(`${JSON.stringify({ baseUrl: reference.baseUrl, token: reference.tokens.valid })}\n`);
