import type { Command } from "commander";
import type { Session } from "../terminal/session.ts";

/** Declares `archivetool schema`. */
export function declareSchema(program: Command, session: () => Session): void {
  program
    .command("schema")
    .description("print the JSON Schema (draft-07) of extraction.json")
    .action(async () => {
      const { extractionJsonSchema } = await import("../../document/extraction-schema.ts");
      session().printJson(extractionJsonSchema());
    });
}
