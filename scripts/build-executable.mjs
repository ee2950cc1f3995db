// `npm run executable`: builds a single executable from the Node.js that runs this script. Needs a build, and Node.js
// 26 or newer, the first version that can import embedded files.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { bundleThreads } from "./bundle-program.mjs";

const OLDEST_MAJOR = 26;
/** Files of `dist/` that the program never reads. */
const LEFT_OUT = /\.map$|^types\/|^library\/|^sources\//;
/** Entry of the executable. Other processes of the program are started by module name, as usual. */
const START = `import { fileURLToPath } from "node:url";
const job = new URL("./http/extraction-job.js", import.meta.url);
const reader = "file-text/file-text-process.js";
const asked = process.argv[2] === fileURLToPath(job) ? job : process.argv[2]?.endsWith(reader) ? \`./\${reader}\` : "./cli/main.js";
await import(new URL(asked, import.meta.url));
`;

const output = resolve(
  process.argv[2] ?? join("executable", process.platform === "win32" ? "archivetool.exe" : "archivetool"),
);
if (Number(process.versions.node.split(".")[0]) < OLDEST_MAJOR) {
  console.error(`building an executable requires Node.js ${OLDEST_MAJOR} or newer, not ${process.version}`);
  process.exit(1);
}
const workshop = mkdtempSync(join(tmpdir(), "archivetool-executable-"));
try {
  await bundleThreads(workshop);
  writeLicenses(workshop);
  const files = [...filesBelow("dist"), ...filesBelow(workshop)].filter(([name]) => !LEFT_OUT.test(name));
  writeFileSync(join(workshop, "start.mjs"), START);
  const config = {
    main: join(workshop, "start.mjs"),
    mainFormat: "module",
    output,
    disableExperimentalSEAWarning: true,
    useVfs: true,
    assets: Object.fromEntries(files),
  };
  writeFileSync(join(workshop, "sea.json"), JSON.stringify(config));
  mkdirSync(dirname(output), { recursive: true });
  const made = spawnSync(process.execPath, ["--build-sea", join(workshop, "sea.json")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.exitCode = made.status ?? 1;
  if (made.status === 0) console.log(`${output}: ${Math.round(statSync(output).size / 1e6)} MB`);
} finally {
  rmSync(workshop, { recursive: true, force: true });
}

/** Licenses of bundled packages and of Node.js. */
function writeLicenses(directory) {
  const file = "THIRD-PARTY-LICENSES";
  const places = [
    "LICENSE",
    join("..", "LICENSE"),
    join("..", "share", "doc", "node", "LICENSE"),
    join("..", "share", "doc", "nodejs", "copyright"),
  ];
  const license = places.map((place) => join(dirname(process.execPath), place)).find((path) => existsSync(path));
  if (license === undefined)
    console.error(`the license of Node.js is missing next to ${process.execPath}: distribute it with the executable`);
  const ofNode =
    license === undefined
      ? ""
      : `${"=".repeat(80)}\nNode.js ${process.versions.node}\n\n${readFileSync(license, "utf8")}\n`;
  writeFileSync(join(directory, file), `${readFileSync(join("dist", file), "utf8")}\n${ofNode}`);
}

/** Files below a directory: relative name with "/", and path. */
function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(directory.length + 1).replaceAll("\\", "/"), resolve(path)]);
}
