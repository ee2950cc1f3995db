import { run } from "./run.mjs";

/** First Node whose own SQLite will do; see src/store/sqlite-driver.ts. */
const [MAJOR, MINOR] = [24, 16];

/**
 * Installs what the lock file names. Of the install scripts we need that of better-sqlite3 alone, and that only where
 * Node has no SQLite that will do: elsewhere nothing is compiled, and a machine without a compiler or a way to the
 * binaries works as well.
 */
export function installPackages() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const hasSqlite = major > MAJOR || (major === MAJOR && minor >= MINOR);
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...(hasSqlite ? ["--ignore-scripts"] : [])]);
}
