import { run } from "./run.mjs";

/** First Node.js whose built-in SQLite is sufficient; see src/store/sqlite/driver/sqlite-driver.ts. */
const [MAJOR, MINOR] = [24, 16];

/**
 * Installs the packages of the lock file. Only the install script of better-sqlite3 is needed, and only if Node's own
 * SQLite is not sufficient: otherwise nothing is compiled, and no compiler or binary download is needed.
 */
export function installPackages() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const hasSqlite = major > MAJOR || (major === MAJOR && minor >= MINOR);
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...(hasSqlite ? ["--ignore-scripts"] : [])]);
}
