import type { Command } from "commander";
import { readBuiltFile } from "../../built-files.ts";
import { ArchiveError } from "../../errors.ts";
import { PII_TYPES } from "../../mail/records/provenance.ts";
import { SOURCE_FORMATS } from "../../mail/records/source-formats.ts";
import { TOOL_NAME, TOOL_VERSION } from "../../version.ts";
import type { Session } from "../terminal/session.ts";

/** Input formats, and what is read from each. */
const ADAPTERS = SOURCE_FORMATS.map(({ name, reads }) => ({ name, reads }));

const FEATURES = [
  "threads by References, Conversation-Index and subject",
  "contact resolution with evidence",
  "contact graph: HITS, PageRank, communities",
  "topics",
  "sentiment",
  "calendar events",
  `redaction: ${PII_TYPES.join(", ")}`,
  "full-text search (TF-IDF)",
  "incremental extraction",
  "markdown wiki, extraction.json, CSV, provenance",
  "query API, local server and upload service",
] as const;

/** Declares `archivetool info`. */
export function declareInfo(program: Command, session: () => Session): void {
  program
    .command("info")
    .description("print version, runtime, dependencies, formats and features")
    .option("--json", "print as JSON")
    .option("--licenses", "print the licenses of bundled packages")
    .action((flags: { readonly json?: true; readonly licenses?: true }) => {
      if (!flags.licenses) printInfo(session(), flags.json === true);
      else for (const line of readPackaged("THIRD-PARTY-LICENSES").trimEnd().split("\n")) session().print(line);
    });
}

function printInfo(session: Session, asJson: boolean): void {
  const runtime = `Node.js ${process.version} on ${process.platform} ${process.arch}`;
  const dependencies = ownDependencies();
  if (asJson) {
    session.printJson({
      tool: TOOL_NAME,
      version: TOOL_VERSION,
      runtime,
      dependencies,
      adapters: ADAPTERS,
      features: FEATURES,
    });
    return;
  }
  session.print(`${TOOL_NAME} ${TOOL_VERSION}`);
  session.print(`Runtime: ${runtime}`);
  session.print("Dependencies:");
  for (const [name, version] of Object.entries(dependencies)) session.print(`  ${name} ${version}`);
  session.print("Adapters:");
  for (const { name, reads } of ADAPTERS) session.print(`  ${name.padEnd(8)}${reads}`);
  session.print("Features:");
  for (const feature of FEATURES) session.print(`  ${feature}`);
}

/** Versions of the packages that are bundled into `dist/`, by name. */
function ownDependencies(): Readonly<Record<string, string>> {
  const packages = JSON.parse(readPackaged("data/packages.json")) as readonly BuiltInPackage[];
  return Object.fromEntries(packages.filter(({ isDirect }) => isDirect).map(({ name, version }) => [name, version]));
}

interface BuiltInPackage {
  readonly name: string;
  readonly version: string;
  readonly isDirect: boolean;
}

function readPackaged(path: string): string {
  try {
    return readBuiltFile(path).toString();
  } catch (cause) {
    throw new ArchiveError("INTERNAL_ERROR", `${path} is missing`, {
      cause,
      hint: "run `npm run build`, or install the package again",
    });
  }
}
