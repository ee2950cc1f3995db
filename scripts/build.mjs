// `npm run build`: dist/ from src/, made anew so that no file of a deleted source stays behind.
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
