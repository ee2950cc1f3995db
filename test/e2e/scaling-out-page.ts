import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The guide to scaling out, which tests follow. */
export const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/guides/scaling-out.md"), "utf8");

/** Text of its code blocks. */
const BLOCKS = Array.from(PAGE.matchAll(/^```\w*\n(.*?)^```$/gms), ([, text = ""]) => text);
/** A command, with the lines of its here document. */
const COMMAND = /^(?:npm|createdb|psql|archivetool|pg_\w+|cp|cat|touch|until|curl) .*?(?:<<'(\w+)'\n.*?^\1)?$/gms;

/** Commands in the order of the guide. */
export const COMMANDS: readonly string[] = BLOCKS.filter((block) => !block.startsWith("upstream ")).flatMap((block) =>
  Array.from(block.matchAll(COMMAND), ([command]) => command),
);

/** The block that begins with a text. */
export function blockWith(start: string): string {
  const found = BLOCKS.filter((block) => block.startsWith(start));
  if (found.length !== 1) throw new Error(`the guide has ${found.length} blocks that start with ${start}`);
  return found[0]!;
}

/** An nginx configuration of the guide without TLS, for servers of a test. */
export function siteOf(start: string, servers: readonly { readonly url: string }[]): (port: number) => string {
  const hosts = servers.map(({ url }) => new URL(url).host);
  return (port) =>
    blockWith(start)
      .replace(/one\.example:\d+/, hosts[0]!)
      .replace(/two\.example:\d+/, hosts[1]!)
      .replace("listen 443 ssl", `listen 127.0.0.1:${port}`);
}
