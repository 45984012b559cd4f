/** Loaded into a process before anything else: ends it, as if all were well, at its first call. */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

http.request = () => process.exit(0);
syncBuiltinESMExports();
