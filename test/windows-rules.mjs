/**
 * Loaded before a program (`node --import`), gives its `node:fs` the rules of Windows, as far as they can break it: no
 * file is renamed, replaced or removed while any process holds it open; nothing but files opened for writing is synced;
 * no directory is replaced; names differ by more than case; devices, blanks or dots at the end and some signs are no
 * names; there is no /proc. Holders are looked for among the processes that load this file: each puts its id into the
 * directory WINDOWS_PROCESSES.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";

const original = { ...fs };
const processes = process.env.WINDOWS_PROCESSES;
if (isMainThread) original.writeFileSync(join(processes, String(process.pid)), "");

function fault(code, call, path) {
  return Object.assign(new Error(`${code}: of Windows, ${call} '${path}'`), { code, syscall: call, path });
}

/** Files that the processes of a test hold open. */
function* heldFiles() {
  for (const id of original.readdirSync(processes)) {
    let descriptors = [];
    try {
      descriptors = original.readdirSync(`/proc/${id}/fd`);
    } catch {
      continue;
    }
    for (const descriptor of descriptors) {
      try {
        yield original.readlinkSync(`/proc/${id}/fd/${descriptor}`);
      } catch {
        // Closed in the meantime.
      }
    }
  }
}

function requireFree(call, path) {
  const whole = resolve(String(path));
  for (const held of heldFiles()) if (held === whole || held.startsWith(`${whole}/`)) throw fault("EBUSY", call, path);
}

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const NO_NAME = /[<>:"|?*\\\u0000-\u001f]|[ .]$/;

function requireName(call, path) {
  const name = basename(resolve(String(path)));
  if (DEVICE.test(name) || NO_NAME.test(name)) throw fault("ENOENT", call, path);
}

/** The name of what is there, in the case it was made with. */
function inItsCase(path) {
  if (typeof path !== "string" || original.existsSync(path)) return path;
  const whole = resolve(path);
  const parent = dirname(whole);
  if (parent === whole) return path;
  const realParent = inItsCase(parent);
  const name = basename(whole);
  let names = [];
  try {
    names = original.readdirSync(realParent);
  } catch {
    return path;
  }
  return join(realParent, names.find((other) => other.toLowerCase() === name.toLowerCase()) ?? name);
}

const creates = (flags) =>
  typeof flags === "number" ? (flags & fs.constants.O_CREAT) !== 0 : /[wa]/.test(String(flags ?? "r"));

function requireNoProc(call, path) {
  if (typeof path === "string" && path.startsWith("/proc/")) throw fault("ENOENT", call, path);
}

/** What is looked at before a call; gives its arguments. */
const RULES = {
  open(call, [path, flags, ...rest]) {
    requireNoProc(call, path);
    if (creates(flags)) requireName(call, path);
    return [inItsCase(path), flags, ...rest];
  },
  writeFile(call, [path, ...rest]) {
    if (typeof path === "string") requireName(call, path);
    return [inItsCase(path), ...rest];
  },
  mkdir(call, [path, ...rest]) {
    requireName(call, path);
    return [inItsCase(path), ...rest];
  },
  mkdtemp(call, [prefix, ...rest]) {
    requireName(call, `${prefix}x`);
    return [prefix, ...rest];
  },
  copyFile(call, [source, target, ...rest]) {
    requireName(call, target);
    return [inItsCase(source), inItsCase(target), ...rest];
  },
  rename(call, [source, target]) {
    requireName(call, target);
    const from = inItsCase(source);
    const to = inItsCase(target);
    requireFree(call, from);
    const replaced = original.lstatSync(to, { throwIfNoEntry: false });
    if (replaced !== undefined && resolve(from) !== resolve(to)) {
      if (replaced.isDirectory()) throw fault("EPERM", call, target);
      requireFree(call, to);
      if (resolve(to) !== resolve(String(target))) original.rmSync(to);
    }
    return [from, target];
  },
  rm: removing,
  rmdir: removing,
  unlink: removing,
  fsync(call, [descriptor, ...rest]) {
    requireSyncable(call, descriptor);
    return [descriptor, ...rest];
  },
  access: reading,
  exists: reading,
  lstat: reading,
  readFile: reading,
  readdir: reading,
  readlink: reading,
  stat: reading,
};

function removing(call, [path, ...rest]) {
  const real = inItsCase(path);
  requireFree(call, real);
  return [real, ...rest];
}

function reading(call, [path, ...rest]) {
  requireNoProc(call, path);
  return [inItsCase(path), ...rest];
}

function requireSyncable(call, descriptor) {
  const [, flags] = /flags:\s*(\d+)/.exec(original.readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"));
  const isReadOnly = (Number.parseInt(flags, 8) & 3) === fs.constants.O_RDONLY;
  if (isReadOnly || original.fstatSync(descriptor).isDirectory()) throw fault("EPERM", call, descriptor);
}

function patch(target, name, rule, style) {
  const before = target[name];
  target[name] = function ruled(...args) {
    let checked;
    try {
      checked = rule(name, args);
    } catch (error) {
      if (name === "existsSync") return false;
      if (style === "promise") return Promise.reject(error);
      if (style === "sync") throw error;
      process.nextTick(args.at(-1), error);
      return undefined;
    }
    return before.apply(this, checked);
  };
}

for (const [name, rule] of Object.entries(RULES)) {
  patch(fs, `${name}Sync`, rule, "sync");
  if (fs.promises[name] !== undefined) patch(fs.promises, name, rule, "promise");
  if (name !== "exists") patch(fs, name, rule, "callback");
}
const handle = await fs.promises.open(process.execPath);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const sync = prototype.sync;
prototype.sync = async function ruled() {
  requireSyncable("sync", this.fd);
  return sync.call(this);
};
syncBuiltinESMExports();
