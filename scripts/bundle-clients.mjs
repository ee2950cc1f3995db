// The scripts and styles that run in browsers: bundled, so that a page is one file without a network.
import { build } from "esbuild";
import { run } from "./run.mjs";

/** Rooms with browser code: each has a `tsconfig.json` with the DOM, a `main.ts` and a `page.css`. */
const CLIENTS = [
  { source: "src/outputs/graph-page/client", output: "outputs/graph-page/client" },
  { source: "src/http/local-server/client", output: "http/local-server/client" },
];

/**
 * Checks the types of every client and writes `<output>.js` and `<output>.css` below a directory.
 * @returns what went into each file, as esbuild tells it
 */
export async function bundleClients(directory) {
  for (const { source } of CLIENTS) run("npx", ["tsc", "-p", `${source}/tsconfig.json`]);
  const { metafile } = await build({
    entryPoints: CLIENTS.flatMap(({ source, output }) => [
      { in: `${source}/main.ts`, out: output },
      { in: `${source}/page.css`, out: output },
    ]),
    outdir: directory,
    bundle: true,
    minify: true,
    // Browsers of the last three years; `</script` in a string is escaped by esbuild.
    target: ["es2022", "chrome110", "firefox115", "safari16.4"],
    format: "iife",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  return metafile;
}
