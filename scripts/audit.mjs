// CI checks with the registry: package signatures, and known issues of shipped packages. If no registry answers, each
// check is reported as skipped: neither a failure nor a success.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds per request; a working registry answers in seconds. */
const PATIENCE_MS = 120_000;

const QUESTIONS = [
  { name: "npm audit signatures", args: ["audit", "signatures", "--json"], verdict: signatureVerdict },
  { name: "npm audit", args: ["audit", "--json"], verdict: issueVerdict },
];

/** Wrong package signatures are failures; missing ones are reported. Null if there is no answer. */
function signatureVerdict({ invalid, missing }) {
  if (!Array.isArray(invalid) || !Array.isArray(missing)) return null;
  return { isGood: invalid.length === 0, text: `${invalid.length} invalid, ${missing.length} without a signature` };
}

/**
 * High and critical issues of bundled or installed packages are failures. Build tools are covered by the lock file
 * and CI. Null if there is no answer.
 */
function issueVerdict({ vulnerabilities }) {
  if (vulnerabilities === undefined) return null;
  const builtIn = JSON.parse(readFileSync(join("dist", "data", "packages.json"), "utf8"));
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
  } = JSON.parse(readFileSync("package.json", "utf8"));
  const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const shipped = new Set([...builtIn.map(({ path }) => path), ...installed.map((name) => `node_modules/${name}`)]);
  const known = Object.values(vulnerabilities).filter(({ nodes }) => nodes.some((path) => shipped.has(path)));
  const grave = known.filter(({ severity }) => severity === "high" || severity === "critical");
  return {
    isGood: grave.length === 0,
    text: `${known.length} known issues of what ships, ${grave.length} of them high or critical`,
  };
}

function ask({ name, args, verdict }) {
  const asked = spawnSync("npm", [...args, "--fetch-retries=0"], {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    shell: process.platform === "win32",
  });
  const answer = verdict(parsed(asked.stdout)) ?? null;
  if (answer === null) console.log(`skipped: ${name} (no registry responds)`);
  else console.log(`${name}: ${answer.text}`);
  return answer?.isGood ?? true;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const isGood = QUESTIONS.map(ask).every(Boolean);
process.exitCode = isGood ? 0 : 1;
