import { existsSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const BUNDLES = ["outputs/graph-page/client.js", "web/manifest.json"];

/** Bundles the scripts of the pages unless a build did. */
export async function bundlePages(): Promise<void> {
  if (BUNDLES.every((bundle) => existsSync(resolve(ROOT, "dist", bundle)))) return;
  const bundler = (await import(resolve(ROOT, "scripts/bundle-clients.mjs"))) as {
    bundleClients(directory: string): Promise<void>;
  };
  await bundler.bundleClients("dist");
}
