/** A file in which records outlive the process that wrote them. One process at a time has it, and writes it anew as it starts. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { connect, createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

const head = Buffer.from('esign-journal 1\n');

export class Journal {
  readonly #path: string;
  readonly #hold: Server;
  #file: number | undefined;
  #length = 0;
  #isTorn = false;

  /** @param folder is made where it is missing @throws Error where another process has the journal */
  static async open(folder: string): Promise<Journal> {
    makeFolder(folder);
    return new Journal(join(folder, 'service.journal'), await holdFolder(folder));
  }

  private constructor(path: string, hold: Server) {
    this.#path = path;
    this.#hold = hold;
  }

  /**
   * What was written so far. A record at the end that is not whole, as a crash leaves it, is left out.
   * @throws Error where the file is no journal, or is damaged before its end
   */
  *records(): Generator<unknown> {
    // Reading a pipe would never end, and a link may lead to somebody else's file.
    if (lstatSync(this.#path, { throwIfNoEntry: false })?.isFile() === false)
      throw new Error(`${this.#path} is no file; remove it, or name another folder`);
    const file = existsSync(this.#path) ? openSync(this.#path, 'r') : undefined;
    if (file === undefined) return;
    try {
      const { size } = fstatSync(file);
      let at = 0;
      const read = (length: number) => {
        const bytes = Buffer.alloc(Math.min(length, size - at));
        for (let got = 0; got < bytes.length; )
          got += readSync(file, bytes, got, bytes.length - got, at + got);
        at += bytes.length;
        return bytes;
      };
      if (size > 0 && !read(head.length).equals(head))
        throw new Error(`${this.#path} is no journal of this service; name another folder`);
      while (at < size) {
        const start = at;
        const length = read(4);
        const bytes = length.length === 4 ? read(length.readUInt32LE()) : length;
        const record =
          length.length === 4 && bytes.length === length.readUInt32LE() ? recordIn(bytes) : undefined;
        if (record !== undefined) yield record;
        else if (at === size) this.#isTorn = true;
        else throw new Error(`${this.#path} is damaged at byte ${start}; name another folder`);
      }
    } finally {
      closeSync(file);
    }
  }

  /** Replaces the file by one with these records. A torn one is kept beside it. */
  renew(records: Iterable<unknown>): void {
    const fresh = `${this.#path}.new`;
    rmSync(fresh, { force: true });
    this.#file = openSync(fresh, 'wx', 0o600);
    chmodSync(fresh, 0o600);
    this.#write(head);
    for (const record of records) this.add(record);
    fsyncSync(this.#file);
    if (this.#isTorn) renameSync(this.#path, `${this.#path}.torn`);
    renameSync(fresh, this.#path);
  }

  /** Gives a record to the system at once, so that it outlives this process, however that ends; a loss of power may take it. */
  add(record: unknown): void {
    const bytes = serialize(record);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    this.#write(Buffer.concat([length, bytes]));
  }

  /** Writes all, or on a full disk nothing. */
  #write(bytes: Buffer): void {
    const file = this.#file;
    if (file === undefined) throw new Error('a journal is renewed before it is added to');
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(file, bytes, at, bytes.length - at, this.#length + at);
    } catch (error) {
      ftruncateSync(file, this.#length);
      throw error;
    }
    this.#length += bytes.length;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#hold.close();
  }
}

/** The record; `undefined` if the bytes are none, for whatever reason. */
function recordIn(bytes: Buffer): unknown {
  try {
    return deserialize(bytes);
  } catch {
    return undefined;
  }
}

/** Makes a folder step by step: Node's recursive mkdir never returns where an existing folder answers ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Holds a folder as long as this process lives, by a socket in it: two services would both send what is queued. */
async function holdFolder(folder: string): Promise<Server> {
  const real = realpathSync(folder);
  const name = `esign-${createHash('sha256').update(real).digest('hex').slice(0, 32)}`;
  const inside = join(real, 'service.sock');
  const isWindows = process.platform === 'win32';
  // Systems allow a socket a path of some 100 bytes; on Linux a folder has a short one by its descriptor.
  const isLong = Buffer.byteLength(inside) > 100;
  const open = isLong && process.platform === 'linux' ? openSync(real, 'r') : undefined;
  const near = isLong ? (open === undefined ? [] : [`/proc/self/fd/${open}/service.sock`]) : [inside];
  const troubles: string[] = [];
  // Not every file system has sockets. The folder for temporary files is the last choice, since others may be there first.
  const places = isWindows ? [`\\\\.\\pipe\\${name}`] : [...near, join(tmpdir(), `${name}.sock`)];
  for (const place of places) {
    const server = await holdAt(place, folder);
    if (server instanceof Server && !isWindows) chmodSync(place, 0o600);
    if (!(server instanceof Server)) troubles.push(server.message);
    else return server.once('close', () => open !== undefined && closeSync(open)).unref();
  }
  throw new Error(`${folder} cannot be held by a socket: ${troubles.join('; ')}`);
}

async function holdAt(place: string, folder: string): Promise<Server | Error> {
  for (;;) {
    const server = createServer();
    const trouble = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve).listen(place, () => resolve(undefined));
    });
    if (trouble?.code !== 'EADDRINUSE') return trouble ?? server;
    const isHeld = new Error(`another service keeps its data in ${folder}; end it, or name another folder`);
    if (await answers(place)) throw isHeld;
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found && !found.isSocket())
      throw new Error(`${place} is no socket; remove it, or name another folder`);
    // A process that was killed left it. It is renamed before it is removed, since another process may have put its
    // own there meanwhile.
    const aside = `${place}.${process.pid}`;
    if (found) renameSync(place, aside);
    if (await answers(aside)) {
      renameSync(aside, place);
      throw isHeld;
    }
    rmSync(aside, { force: true });
  }
}

function answers(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}
