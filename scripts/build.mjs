// `npm run build`: dist/ from src/, made anew so that no file of a deleted source stays behind.
import { rmSync } from "node:fs";
import { bundleClients } from "./bundle-clients.mjs";
import { bundleProgram } from "./bundle-program.mjs";

rmSync("dist", { recursive: true, force: true });
await bundleProgram("dist");
await bundleClients("dist");
