// `npm run build`: dist/ from src/, made anew so that no file of a deleted source stays behind.
import { rmSync } from "node:fs";
import { bundleClients } from "./bundle-clients.mjs";
import { run } from "./run.mjs";

rmSync("dist", { recursive: true, force: true });
run("npx", ["tsc", "-p", "tsconfig.build.json"]);
await bundleClients("dist");
