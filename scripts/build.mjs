// `npm run build`: rebuilds dist/ from src/, so that no output of a deleted source remains.
import { rmSync } from "node:fs";
import { bundleClients } from "./bundle-clients.mjs";
import { bundleProgram } from "./bundle-program.mjs";
import { writeBundledPackages } from "./bundled-packages.mjs";
import { writeManPage } from "./man-page.mjs";
import { run } from "./run.mjs";
import { writeTypes } from "./write-types.mjs";

rmSync("dist", { recursive: true, force: true });
const metafiles = [...(await bundleProgram("dist")), ...(await bundleClients("dist"))];
run("node", ["--import", "tsx", "scripts/vendor-data.ts", "dist"]);
writeBundledPackages("dist", metafiles);
writeTypes("dist");
writeManPage("dist");
