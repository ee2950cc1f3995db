// Loaded into a worker under test: it does not see what HIDDEN names, as a machine without that disk.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const seeing = fs.accessSync;
fs.accessSync = (path, mode) => {
  if (!String(path).startsWith(process.env.HIDDEN)) return seeing(path, mode);
  throw Object.assign(new Error(`ENOENT: no such file or directory, access '${path}'`), { code: "ENOENT" });
};
syncBuiltinESMExports();
