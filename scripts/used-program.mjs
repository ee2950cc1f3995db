// Uses an installed program like its users: extract, search, serve, service. Throws failures with the output of the
// program.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds per command or upload on a busy machine. */
const PATIENCE_MS = 180_000;
const POLL_MS = 100;
/** Text of each message, so that a search has a single best result. */
const SUBJECTS = [
  "Mooring lines",
  "Crane for Tuesday",
  "Harbour dues",
  "Paint for the hull",
  "Tide tables",
  "Winter berth",
];

/**
 * @param command program and leading arguments @param directory where it may write @param environment its environment
 * @returns a description of the steps
 */
export async function useProgram(command, directory, environment) {
  const program = { command, directory, environment };
  const mail = join(directory, "harbour mail.mbox");
  const archive = join(directory, "the archive");
  writeFileSync(mail, SUBJECTS.map(messageOf).join(""));
  const said = runProgram(program, "extract", mail, "--output", archive, "--json", "--csv", "--attachment-text");
  expectText(said, `Emails: ${SUBJECTS.length}`, "extract");
  expectText(runProgram(program, "search", archive, "crane"), "Crane for Tuesday", "search");
  // Read in a separate process, with code that is loaded for the first PDF.
  expectText(said, "Attachments: 1 (0 files without text)", "text of attachments");
  expectText(
    runProgram(program, "search", archive, "attachment:keel"),
    "[plan.pdf] **keel** blocks",
    "search in files",
  );
  expectText(runProgram(program, "info"), "Node.js", "info");
  await useServer(program, ["serve", archive, "--port", "0"], async (url) => {
    expectText(await fetchText(`${url}/api/status`), `"messages":${SUBJECTS.length}`, "serve");
    expectText(await fetchText(url), "<html", "the page of serve");
    const search = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "tide" }),
    };
    expectText(await fetchText(`${url}/api/query/search`, search), "Tide tables", "search of serve");
  });
  await useServer(program, ["service", "--data", join(directory, "service data"), "--port", "0"], (url) =>
    useService(url, mail),
  );
  return ["extract", "search", "info", "serve", "service"];
}

/** A page with two words, as a minimal PDF. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 42>>stream
BT /F 12 Tf 10 100 Td (keel blocks) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

function messageOf(subject, number) {
  const day = String(number + 1).padStart(2, "0");
  return `From ana@sea.example Tue Jan ${day} 08:00:00 2019
From: Ana Okafor <ana@sea.example>
To: Per Lindqvist <per@harbour.example>
Subject: ${subject}
Message-ID: <${number}@sea.example>
Date: Tue, ${day} Jan 2019 08:00:00 +0000
${number === 0 ? withPlan(bodyOf(subject)) : `\n${bodyOf(subject)}`}
`;
}

function bodyOf(subject) {
  return `Dear Per,\nplease see to this before the weekend: ${subject.toLowerCase()}.\n`;
}

/** The remaining header and body of a message with an attachment. */
function withPlan(text) {
  const head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
  const part = 'Content-Type: application/pdf; name="plan.pdf"\nContent-Transfer-Encoding: base64\n';
  return `${head}\n--b\n\n${text}\n--b\n${part}\n${Buffer.from(PDF).toString("base64")}\n--b--\n`;
}

async function useService(url, mail) {
  const form = new FormData();
  form.set("file", new Blob([readFileSync(mail)]), "harbour.mbox");
  const answer = await fetchText(`${url}/upload`, { method: "POST", body: form });
  const { upload_id: id } = JSON.parse(answer);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { status, error } = JSON.parse(await fetchText(`${url}/uploads/${id}`));
    if (status === "completed") break;
    if (status === "failed" || Date.now() > deadline)
      throw new Error(`the upload is ${status}: ${JSON.stringify(error)}`);
    await pause(POLL_MS);
  }
  expectText(await fetchText(`${url}/search?q=paint`), "Paint for the hull", "search of service");
  expectText(await fetchText(`${url}/search?q=attachment:keel`), "Mooring lines", "search in files of service");
  expectText(await fetchText(`${url}/uploads/${id}/graph.html`), "<html", "graph of service");
}

/** Runs a command of the program and returns its output. */
export function runProgram({ command, directory, environment }, ...args) {
  const [file, ...leading] = command;
  const { status, stdout, stderr, error } = spawnSync(file, [...leading, ...args], {
    cwd: directory,
    env: environment,
    encoding: "utf8",
    timeout: PATIENCE_MS,
    shell: process.platform === "win32",
  });
  if (status === 0) return stdout;
  throw new Error(`${args[0]} ended with ${status ?? error?.message}: ${stderr || stdout}`);
}

/** Starts a server, waits for its address, uses it, and stops it like Ctrl-C. */
export async function useServer({ command, directory, environment }, args, use) {
  const [file, ...leading] = command;
  // A separate process group: the launcher (npx, a shell) may not forward signals.
  const child = spawn(file, [...leading, ...args], { cwd: directory, env: environment, detached: true });
  let said = "";
  const ended = new Promise((settle) => child.once("exit", settle));
  try {
    const url = await new Promise((settle, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => {
          said += text;
          const found = / on (http:\/\/[\w.:]+)/.exec(said);
          if (found !== null) settle(found[1]);
        });
      }
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}: ${said}`)));
    });
    await use(url);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, "SIGINT");
    await ended;
  }
}

export async function fetchText(url, options) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} responded with ${answer.status}: ${text}`);
  return text;
}

function expectText(text, expected, what) {
  if (!text.includes(expected)) throw new Error(`${what} does not contain "${expected}": ${text.slice(0, 2000)}`);
}
