// What CI asks the registry: are the locked packages signed as published, and is an issue known of any of them that ships. Where no
// registry answers, each question is skipped by name: a check that could not be made is no failure, and no success either.
import { spawnSync } from "node:child_process";

/** Milliseconds for one question: a registry that answers does so in seconds. */
const PATIENCE_MS = 120_000;

const QUESTIONS = [
  { name: "npm audit signatures", args: ["audit", "signatures", "--json"], verdict: signatureVerdict },
  // What ships is what matters to users; build tools are judged by their lock file and by CI.
  { name: "npm audit", args: ["audit", "--omit=dev", "--audit-level=high", "--json"], verdict: issueVerdict },
];

/** Packages whose signature is wrong are a failure; missing ones are told. Null when the answer is none. */
function signatureVerdict({ invalid, missing }) {
  if (!Array.isArray(invalid) || !Array.isArray(missing)) return null;
  return { isGood: invalid.length === 0, text: `${invalid.length} invalid, ${missing.length} without a signature` };
}

/** High and critical issues are a failure. Null when the answer is none. */
function issueVerdict({ metadata }) {
  const known = metadata?.vulnerabilities;
  if (known === undefined) return null;
  return {
    isGood: known.high + known.critical === 0,
    text: `${known.total} known issues, ${known.high + known.critical} of them high or critical`,
  };
}

function ask({ name, args, verdict }) {
  const asked = spawnSync("npm", [...args, "--fetch-retries=0"], {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    shell: process.platform === "win32",
  });
  const answer = verdict(parsed(asked.stdout)) ?? null;
  if (answer === null) console.log(`skipped: ${name} (no registry answers)`);
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
