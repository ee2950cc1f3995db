import type { Command } from "commander";
import type { Correction } from "../../contacts/corrections/correction.ts";
import {
  formatCorrections,
  formatMailmap,
  linesFor,
  parseCorrections,
} from "../../contacts/corrections/people-file.ts";
import { ArchiveError } from "../../errors.ts";
import { suggestionLines, suggestionsOf } from "../../outputs/suggested-people.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import {
  contactAddress,
  correctArchive,
  followCorrections,
  loadCorrections,
  undo,
  validateName,
} from "./correct-people.ts";

interface SuggestFlags {
  readonly min: string;
  readonly json?: true;
}

const PERSON_ARGUMENT = "an address, or the id of a contact";

/** Declares `archivetool people`. */
export function declarePeople(program: Command, session: () => Session): void {
  const people = program
    .command("people")
    .description("correct people: merge, split and rename contacts without reading mail again");
  people
    .command("suggest")
    .description("list contacts that may be one person, with the evidence")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--min <n>", "minimum bits of evidence", "2")
    .option("--json", "print as JSON")
    .action(async (source: string, flags: SuggestFlags) => {
      const min = Number(flags.min);
      if (Number.isNaN(min)) throw new ArchiveError("INVALID_ARGUMENT", `--min must be a number, not "${flags.min}"`);
      await withNamedArchive(source, session(), async (archive) => {
        const found = (await suggestionsOf(archive)).filter(({ bits }) => bits >= min);
        if (flags.json) session().printJson(found);
        else for (const line of suggestionLines(found)) session().print(line);
      });
    });
  people
    .command("merge")
    .description("merge several contacts into one")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<people...>", PERSON_ARGUMENT)
    .action(async (source: string, named: readonly string[]) => {
      if (named.length < 2) throw new ArchiveError("INVALID_ARGUMENT", "people merge requires at least two people");
      await correct(source, session(), { verb: "merge", named }, (addresses) => [
        { kind: "person", name: null, addresses },
      ]);
    });
  people
    .command("split")
    .description("remove the second address from the contact of the first")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<address>", PERSON_ARGUMENT)
    .argument("<other>", PERSON_ARGUMENT)
    .action(async (source: string, one: string, other: string) => {
      await correct(source, session(), { verb: "split", named: [one, other] }, ([first, second]) => [
        { kind: "apart", one: first!, other: second! },
      ]);
    });
  people
    .command("rename")
    .description("rename a contact; the address becomes its main one")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<address>", PERSON_ARGUMENT)
    .argument("<name>", "new name")
    .action(async (source: string, address: string, name: string) => {
      const shown = validateName(name);
      await correct(source, session(), { verb: "rename", named: [address] }, (addresses) => [
        { kind: "person", name: shown, addresses },
      ]);
    });
  declareFileCommands(people, session);
}

function declareFileCommands(people: Command, session: () => Session): void {
  people
    .command("apply")
    .description("apply people.txt, after adding the corrections of a file")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("[file]", "a people.txt or .mailmap")
    .action(async (source: string, file?: string) => {
      if (file === undefined) return followCorrections(source, session());
      const { readCorrectionsText } = await import("../../store/notebook/corrections-file.ts");
      const text = readCorrectionsText(file);
      if (text === null) throw new ArchiveError("SOURCE_NOT_FOUND", `${file} does not exist`);
      const corrections = parseCorrections(text, file);
      if (corrections.length === 0) throw new ArchiveError("INVALID_ARGUMENT", `${file} has no corrections`);
      await correctArchive({ source, file: "people.txt" }, session(), {
        verb: "apply",
        corrections: corrections.map(linesFor),
      });
      return session().print(`Applied ${countOf(corrections.length, "correction")} of ${file}`);
    });
  people
    .command("export")
    .description("print the corrections")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--mailmap", "use Git's .mailmap format: names and merges only")
    .action(async (source: string, flags: { readonly mailmap?: true }) => {
      const corrections = await loadCorrections(source, session());
      const text = flags.mailmap ? formatMailmap(corrections) : formatCorrections(corrections);
      for (const line of text.trimEnd().split("\n")) session().print(line);
    });
  people
    .command("undo")
    .description("undo the last correction made by a command or on the page")
    .argument("<source>", SOURCE_ARGUMENT)
    .action(async (source: string) => {
      await undo({ source, file: "people.txt" }, session());
    });
}

/** Action of a command on the named people. */
interface NamedPeople {
  readonly verb: string;
  readonly named: readonly string[];
}

async function correct(
  source: string,
  session: Session,
  { verb, named }: NamedPeople,
  corrections: (addresses: readonly string[]) => readonly Correction[],
): Promise<void> {
  const addresses = await withNamedArchive(source, session, (archive) =>
    Promise.all(named.map((one) => contactAddress(archive, one))),
  );
  if (new Set(addresses).size < addresses.length)
    throw new ArchiveError("INVALID_ARGUMENT", `people ${verb} requires different addresses`);
  const lines = corrections(addresses).map(linesFor);
  await correctArchive({ source, file: "people.txt" }, session, { verb, corrections: lines });
}
